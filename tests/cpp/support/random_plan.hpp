// Random programs that are type-correct by the op table.
#pragma once
#include "support/op_catalogue.hpp"
#include "support/random_layout.hpp"

namespace bascule::testing {

struct plan_options {
    std::int64_t elements = 200;  // of the iteration space, about
    int ops = 8;                  // in addition to casts
    bool reductions = true;
    bool exact_only = false;  // no op whose error bound allows differences
};

class plan_maker {
public:
    plan_maker(std::uint64_t seed, plan_options const& o)
        : dice_(seed), options_(o), made_(random_shape(dice_, o.elements)) {}
    plan_maker(std::uint64_t seed, plan_options const& o, extents shape)
        : dice_(seed), options_(o), made_(std::move(shape)) {}

    program make() {
        add_leaves();
        for (auto n = dice_.between(0, options_.ops); n > 0; --n) add_op();
        bool const reduces = options_.reductions && !dice_.one_in(3);
        if (reduces) add_reductions();
        if (!reduces || dice_.one_in(3)) add_stores();
        forget_dead_checks();
        return std::move(made_);
    }

private:
    type_id random_type() {
        return dice_.one_in(2) ? dice_.pick(common_types) : static_cast<type_id>(dice_.between(0, type_count - 1));
    }

    void add_leaves() {
        for (auto n = dice_.between(1, 4); n > 0; --n) {
            auto const t = random_type();
            auto l = random_input_layout(dice_, made_.shape, itemsize(t));
            auto data = random_bytes(dice_, t, l.size);
            loads_.push_back(made_.input(t, std::move(l), std::move(data)));
        }
        if (dice_.one_in(3)) {
            auto const t = random_type();
            made_.constant(t, random_element(dice_, t));
        }
        if (dice_.one_in(5)) {
            extents strides(made_.shape.size());
            for (auto& s : strides) s = dice_.between(-3, 3);
            made_.iota(dice_.between(-5, 5), std::move(strides));
        }
    }

    // An earlier value of the type; a cast of another one where there is none, and now and then where there is.
    int value_of(type_id t) {
        std::vector<int> fit, castable;
        for (int i = 0; i < static_cast<int>(made_.values.size()); ++i) {
            auto const from = made_.values[static_cast<std::size_t>(i)].dtype;
            if (from == t) fit.push_back(i);
            else if (catalogue().can_cast(from, t)) castable.push_back(i);
        }
        if (!fit.empty() && (castable.empty() || !dice_.one_in(5))) return dice_.pick(fit);
        if (!castable.empty()) return made_.op(catalogue().cast, t, {dice_.pick(castable)});
        return made_.constant(t, random_element(dice_, t));
    }

    void add_op() {
        auto const& op = dice_.pick(catalogue().ops);
        if (options_.exact_only && (op.meta.ulp64 > 0 || op.meta.ulp32 > 0 || op.meta.call == ops::form::counter ||
                                    op.meta.call == ops::form::sample))
            return;
        // The sign of a NaN is left to the processor, so nothing may depend on that of a computed one.
        bool const sees_signs_of_nan = op.meta.name == std::string_view("signbit") ||
                                       op.meta.name == std::string_view("copysign");
        if (sees_signs_of_nan && options_.ops > 1) return;
        auto const& loop = dice_.pick(op.loops);
        std::vector<int> args;
        switch (op.meta.call) {
            case ops::form::selection:
                args = {value_of(type_id::bool_), value_of(loop.type), value_of(loop.type)};
                break;
            case ops::form::counter:
                args = {value_of(type_id::int64), made_.constant<std::uint64_t>(dice_.bits())};
                break;
            default:
                for (auto const t : loop.args) args.push_back(value_of(t));
        }
        auto const can =
            static_cast<std::uint8_t>(ops::raised_by(op.meta, is_complex(loop.type)) | op.meta.integers_raise);
        auto const check = static_cast<std::uint8_t>(!is_time(loop.type) && dice_.one_in(2) ? can : 0);
        made_.op(op.number, loop.result, args, check);
    }

    int random_value() {
        return static_cast<int>(dice_.between(0, static_cast<std::int64_t>(made_.values.size()) - 1));
    }

    // Over the memory of an input of the same dtype, as the last reader of a chain does. Broadcast memory is never
    // written.
    void store_in_place(int value) {
        for (std::size_t i = 0; i < loads_.size(); ++i) {
            auto const& l = made_.operand_layout(static_cast<int>(i));
            bool const broadcast = std::find(l.strides.begin(), l.strides.end(), 0) != l.strides.end();
            if (broadcast || made_.values[static_cast<std::size_t>(loads_[i])].dtype !=
                                 made_.values[static_cast<std::size_t>(value)].dtype)
                continue;
            return made_.store_in_place(value, static_cast<int>(i));
        }
    }

    void add_stores() {
        if (dice_.one_in(4)) store_in_place(static_cast<int>(made_.values.size()) - 1);
        for (auto n = dice_.between(1, 3); n > 0; --n) {
            int const v = n == 1 ? static_cast<int>(made_.values.size()) - 1 : random_value();
            made_.store(v,
                        random_layout(dice_, made_.shape, itemsize(made_.values[static_cast<std::size_t>(v)].dtype)));
        }
    }

    void add_reductions() {
        made_.reduced.assign(made_.shape.size(), 0);
        bool empty = false;
        for (std::size_t d = 0; d < made_.reduced.size(); ++d) {
            made_.reduced[d] = static_cast<std::uint8_t>(dice_.one_in(2));
            empty |= made_.reduced[d] != 0 && made_.shape[d] == 0;
        }
        int run = 0;
        while (run < static_cast<int>(made_.shape.size()) &&
               made_.reduced[made_.shape.size() - 1 - static_cast<std::size_t>(run)] != 0)
            ++run;
        made_.run_dims = run > 1 ? static_cast<int>(dice_.between(1, run)) : 1;
        for (auto n = dice_.between(1, 3); n > 0; --n) {
            auto const& a = dice_.pick(catalogue().aggregates);
            if (empty && !a.has_identity) continue;
            auto const& loop = dice_.pick(a.loops);
            made_.reduce(a.number, value_of(loop.type), loop.result, static_cast<double>(dice_.between(0, 1)));
        }
    }

    // Values that feed no output need not be computed, so they report nothing.
    void forget_dead_checks() {
        std::vector<bool> live(made_.values.size());
        for (auto const& o : made_.outputs()) live[static_cast<std::size_t>(o.value)] = true;
        for (auto i = made_.values.size(); i-- > 0;) {
            auto& v = made_.values[i];
            for (int k = 0; k < v.nargs; ++k) live[v.args[k]] = live[v.args[k]] || live[i];
            if (!live[i]) v.check = ops::fp::none;
        }
    }

    static constexpr type_id common_types[] = {type_id::bool_,   type_id::int32,   type_id::int64,
                                               type_id::float32, type_id::float64, type_id::float64};

    dice dice_;
    plan_options options_;
    program made_;
    std::vector<int> loads_;
};

}  // namespace bascule::testing
