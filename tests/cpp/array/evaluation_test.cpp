// When operations run, and which results are kept: flushes, limits, stored intermediates, shared passes, memory that
// runs out.
#include "arrays.hpp"

namespace bascule::testing {
namespace {

constexpr std::int64_t many = 80000;

array chain(array a, int length) {
    for (int i = 0; i < length; ++i) a = apply("add", apply("multiply", a, 1.5), 1.0);
    return a;
}

TEST(small, calls_run_at_once) {
    array const a = make(cpu(), counted(10));
    EXPECT_FALSE(pending(apply("add", a, 1.0)));
    EXPECT_FALSE(pending(reduce_with("sum", a)));
    EXPECT_FALSE(pending(full(cpu(), make_dtype(type_id::float64), {10}, constant(2))));
}

TEST(fusion, a_chain_is_one_plan) {
    array const a = make(cpu(), numbers(many));
    auto const before = statistics();
    array const r = chain(a, 5);
    EXPECT_EQ(statistics().plans, before.plans);
    run(r);
    EXPECT_EQ(statistics().plans, before.plans + 1);
    EXPECT_EQ(statistics().stored_intermediates, before.stored_intermediates);
}

TEST(fusion, a_reduction_and_the_chain_before_it_are_one_plan) {
    array const a = make(cpu(), numbers(many));
    auto const before = statistics();
    array const total = reduce_with("sum", chain(a, 3));
    EXPECT_TRUE(pending(total));
    run(total);
    EXPECT_EQ(statistics().plans, before.plans + 1);
}

TEST(fusion, reductions_of_one_input_share_a_pass) {
    array const a = make(cpu(), numbers(many));
    array const x = chain(a, 1);
    array const total = reduce_with("sum", x), least = reduce_with("min", x), most = reduce_with("max", x),
                mean = reduce_with("mean", x);
    auto const before = statistics();
    run(total);
    EXPECT_FALSE(pending(least));
    EXPECT_FALSE(pending(most));
    EXPECT_FALSE(pending(mean));
    EXPECT_EQ(statistics().plans, before.plans + 1);
    auto const v = values<double>(x);
    EXPECT_EQ(values<double>(least)[0], *std::min_element(v.begin(), v.end()));
    EXPECT_EQ(values<double>(most)[0], *std::max_element(v.begin(), v.end()));
    EXPECT_EQ(values<double>(mean)[0], values<double>(total)[0] / many);
}

// Each result of a graph of its own, nothing of which is put off.
std::vector<array> one_by_one(std::vector<array> (*make)(array const&), array const& a, std::size_t n) {
    settings().fusion = false;
    std::vector<array> r;
    for (std::size_t k = 0; k < n; ++k) r.push_back(make(a)[k]);
    settings().fusion = true;
    return r;
}

TEST(fusion, reductions_of_different_values_of_one_input_share_a_pass) {
    auto const make_all = [](array const& x) {
        array const missing = apply("isnan", x), nothing = apply("multiply", x, 0.0);
        argument const chosen[] = {{&missing}, {&nothing}, {&x}};
        array const kept = bascule::apply(op("where"), chosen);
        array const centred = apply("subtract", x, 3.0);
        return std::vector<array>{
            reduce_with("sum", kept),
            astype(reduce_with("count_nonzero", apply("logical_not", missing)), make_dtype(type_id::float64)),
            reduce_with("var", x), reduce_with("sum", apply("multiply", centred, centred)), reduce_with("max", x)};
    };
    array const a = make(cpu(), numbers(many * 10 + 7));
    auto const alone = one_by_one(make_all, a, 5), together = make_all(a);
    auto const before = statistics();
    run(together[0]);
    for (std::size_t k : {2, 3, 4}) EXPECT_FALSE(pending(together[k]));
    EXPECT_EQ(statistics().plans, before.plans + 1);
    for (std::size_t k = 0; k < 5; ++k)
        EXPECT_EQ(values<double>(together[k]), values<double>(alone[k])) << "result " << k;
}

TEST(fusion, reductions_share_a_pass_whatever_the_strides_that_lead_to_the_same_tree) {
    auto const make_all = [](array const& x) {
        array const y = sliced(x, 0, many, 3);
        return std::vector<array>{reduce_with("sum", y), reduce_with("sum", apply("multiply", y, 2.0)),
                                  reduce_with("mean", astype(y, make_dtype(type_id::float32)))};
    };
    array const a = make(cpu(), numbers(3 * many));
    auto const alone = one_by_one(make_all, a, 3), together = make_all(a);
    auto const before = statistics();
    run(together[0]);
    EXPECT_FALSE(pending(together[1]));
    EXPECT_FALSE(pending(together[2]));
    EXPECT_EQ(statistics().plans, before.plans + 1);
    EXPECT_EQ(values<double>(together[1]), values<double>(alone[1]));
    EXPECT_EQ(values<float>(together[2]), values<float>(alone[2]));
}

TEST(fusion, reductions_with_other_trees_or_nothing_in_common_run_apart) {
    array const a = make(cpu(), numbers(many), {100, many / 100}), b = make(cpu(), numbers(many, 2), {100, many / 100});
    array const rows = view(a, {50, many / 100}, {2 * a.strides[0], a.strides[1]}, 0);  // 50 runs
    array const whole = view(a, {50, many / 100}, {a.strides[0], a.strides[1]}, 0);     // one
    array const transposed = view(a, {many / 100, 100}, {a.strides[1], a.strides[0]}, 0);
    array const total = reduce_with("sum", a), other = reduce_with("sum", b),
                turned = reduce_with("sum", apply("multiply", transposed, 2.0));
    array const many_runs = reduce_with("sum", rows), one_run = reduce_with("sum", whole),
                one_more = reduce_with("sum", apply("add", whole, 1.0));
    run(total);
    EXPECT_TRUE(pending(other));
    EXPECT_TRUE(pending(turned));
    EXPECT_TRUE(pending(many_runs));
    run(one_run);
    EXPECT_TRUE(pending(many_runs));
    EXPECT_FALSE(pending(one_more));
}

TEST(fusion, a_reduction_that_needs_another_s_result_waits) {
    array const a = make(cpu(), numbers(many));
    array const mean = reduce_with("mean", a), centred = apply("subtract", a, mean),
                spread = reduce_with("sum", apply("multiply", centred, centred));
    run(mean);
    EXPECT_TRUE(pending(spread));
    EXPECT_NEAR(values<double>(spread)[0] / many, values<double>(reduce_with("var", a))[0], 1e-9);
}

TEST(fusion, a_sum_of_a_few_elements_is_part_of_what_asks_for_it) {
    array const rows = make(cpu(), numbers(900), {300, 1, 3}), columns = make(cpu(), numbers(900), {1, 300, 3});
    array const difference = apply("subtract", rows, columns);
    aggregation_options last;
    last.axes = 4;
    auto const before = statistics();
    array const root = apply("sqrt", reduce_with("sum", apply("multiply", difference, difference), last));
    run(root);
    EXPECT_EQ(statistics().plans, before.plans + 1);
    EXPECT_EQ(statistics().stored_intermediates, before.stored_intermediates);
}

TEST(fusion, what_another_reduction_would_store_is_not_stored_for_this_one) {
    array const a = make(cpu(), numbers(many));
    array const dear = apply("expm1", a), total = reduce_with("sum", a), dear_total = reduce_with("sum", dear);
    run(total);
    EXPECT_TRUE(pending(dear));
    EXPECT_TRUE(pending(dear_total));
}

TEST(fusion, a_pass_of_many_reductions_stays_within_a_plan) {
    array const a = make(cpu(), numbers(many));
    std::vector<array> totals;
    for (int k = 0; k < 40; ++k) totals.push_back(reduce_with("sum", apply("multiply", a, 1.0 + k)));
    auto const before = statistics();
    for (auto const& t : totals) run(t);
    auto const plans = statistics().plans - before.plans;
    EXPECT_GE(plans, 5);
    EXPECT_LE(plans, 10);
    for (int k = 0; k < 40; ++k)
        EXPECT_EQ(values<double>(totals[static_cast<std::size_t>(k)]),
                  values<double>(reduce_with("sum", apply("multiply", a, 1.0 + k))));
}

TEST(fusion, a_dear_intermediate_that_is_held_is_stored_on_the_way) {
    array const a = make(cpu(), numbers(many));
    array const dear = apply("expm1", a);
    array const r = apply("add", dear, 1.0);
    auto const before = statistics();
    run(r);
    EXPECT_FALSE(pending(dear));
    EXPECT_EQ(statistics().plans, before.plans + 1);
    EXPECT_EQ(statistics().stored_intermediates, before.stored_intermediates + 1);
}

TEST(fusion, what_is_cheap_alongside_what_is_stored_stays_pending_once) {
    array const a = make(cpu(), numbers(many));
    array const dear = apply("expm1", a), cheap = apply("multiply", dear, 2.0);
    auto const before = statistics();
    run(apply("add", cheap, 1.0));
    EXPECT_FALSE(pending(dear));
    EXPECT_TRUE(pending(cheap));
    EXPECT_EQ(statistics().stored_intermediates, before.stored_intermediates + 1);
    run(apply("add", cheap, 2.0));
    EXPECT_FALSE(pending(cheap)) << "nothing is computed more than twice";
    auto const x = values<double>(dear), twice = values<double>(cheap);
    for (std::size_t k = 0; k < x.size(); ++k) ASSERT_EQ(twice[k], 2 * x[k]);
}

TEST(fusion, what_nothing_waits_for_is_stored_however_cheap) {
    array const a = make(cpu(), numbers(many));
    array const dear = apply("expm1", a), cheap = apply("multiply", dear, 2.0);
    run(dear);
    EXPECT_FALSE(pending(cheap)) << "the pass has what it needs";
}

TEST(fusion, results_of_elements_of_other_sizes_join_a_pass) {
    array const a = make(cpu(), numbers(many));
    array const dear = apply("expm1", a), boolean = apply("greater", dear, 0.5), dearer = apply("expm1", dear);
    auto const before = statistics();
    run(boolean);
    EXPECT_FALSE(pending(dearer));
    EXPECT_EQ(statistics().plans, before.plans + 1);
}

TEST(fusion, equal_constants_are_one_value) {
    array r = make(cpu(), numbers(many));
    for (int k = 0; k < 4; ++k) r = apply("add", apply("multiply", r, 1.5), k % 2 ? 0.0 : -0.0);
    auto const before = statistics();
    run(r);
    EXPECT_EQ(statistics().values, before.values + 1 + 3 + 8) << "a load, constants and operations";
}

TEST(fusion, a_dear_intermediate_nobody_holds_is_not_stored) {
    array const a = make(cpu(), numbers(many));
    array const r = apply("add", apply("expm1", a), 1.0);
    auto const before = statistics();
    run(r);
    EXPECT_EQ(statistics().stored_intermediates, before.stored_intermediates);
}

TEST(fusion, a_cheap_intermediate_stays_pending_once_and_is_stored_the_second_time) {
    array const a = make(cpu(), numbers(many));
    array const cheap = apply("add", a, 1.0);
    run(apply("multiply", cheap, 2.0));
    EXPECT_TRUE(pending(cheap));
    run(apply("multiply", cheap, 3.0));
    EXPECT_FALSE(pending(cheap)) << "nothing is computed more than twice";
}

TEST(fusion, creation_costs_no_memory_until_it_is_read) {
    array const ones = full(cpu(), make_dtype(type_id::float64), {100, 1000}, constant(1));
    EXPECT_EQ(values<double>(reduce_with("sum", ones))[0], 100000.0);
    EXPECT_TRUE(pending(ones));
}

TEST(fusion, off_means_that_every_call_runs) {
    with_setting<bool> const off(settings().fusion, false);
    array const a = make(cpu(), numbers(many));
    EXPECT_FALSE(pending(apply("add", a, 1.0)));
    EXPECT_FALSE(pending(reduce_with("sum", a)));
    assign(a, scalar(1.0));
    EXPECT_FALSE(pending(a));
}

TEST(limits, a_long_chain_flushes_by_itself) {
    array const a = make(cpu(), counted(many));
    auto const before = statistics();
    array r = a;
    for (int i = 0; i < 200; ++i) r = apply("add", r, 1.0);
    EXPECT_GT(statistics().plans, before.plans);
    EXPECT_GT(statistics().by_reason[static_cast<int>(flush_reason::limit)],
              before.by_reason[static_cast<int>(flush_reason::limit)]);
    EXPECT_EQ(values<double>(r), counted(many, 200));
}

TEST(limits, a_long_row_of_in_place_writes_flushes_by_itself) {
    array const a = make(cpu(), counted(many));
    for (int i = 0; i < 300; ++i) assign(a, apply("add", a, 1.0));
    EXPECT_EQ(values<double>(a), counted(many, 300));
}

TEST(limits, many_distinct_arrays_fit_no_single_plan) {
    std::vector<array> parts;
    for (int i = 0; i < 60; ++i) parts.push_back(make(cpu(), counted(many, i)));
    array total = parts[0];
    for (int i = 1; i < 60; ++i) total = apply("add", total, parts[static_cast<std::size_t>(i)]);
    auto const v = values<double>(total);
    EXPECT_EQ(v[0], 59 * 60 / 2);
    EXPECT_EQ(v[10], 59 * 60 / 2 + 600);
}

TEST(limits, a_graph_that_doubles_at_every_step_ends) {
    array a = make(cpu(), std::vector<double>(many, 1));
    for (int i = 0; i < 40; ++i) a = apply("add", a, a);
    EXPECT_EQ(values<double>(a)[0], 0x1p40);
}

TEST(limits, what_is_asked_for_often_counts_once) {
    array a = make(cpu(), std::vector<double>(many, 1));
    std::vector<array> crowd;  // pending too, so that all together are many
    for (int crowded = 0; crowded < 2; ++crowded) {
        auto const before = statistics();
        array r = a;
        for (int i = 0; i < 60; ++i) r = apply("add", r, r);
        EXPECT_EQ(statistics().plans, before.plans) << "crowded " << crowded;
        EXPECT_EQ(values<double>(r)[1], 0x1p60);
        for (int i = 0; i < 30; ++i) crowd.push_back(chain(make(cpu(), counted(many, i)), 2));
    }
    EXPECT_TRUE(pending(crowd[7]));
    EXPECT_EQ(values<double>(crowd[7])[3], ((3 + 7) * 1.5 + 1) * 1.5 + 1);
}

TEST(limits, an_iteration_over_several_arrays_fills_its_plans) {
    array x = make(cpu(), std::vector<double>(many, 0.5)), y = make(cpu(), std::vector<double>(many, 0.25));
    double p = 0.5, q = 0.25;
    auto const before = statistics();
    for (int i = 0; i < 200; ++i) {
        array const xx = apply("multiply", x, x), yy = apply("multiply", y, y);
        y = apply("add", apply("multiply", apply("multiply", x, y), 0.5), 0.25);
        x = apply("add", apply("subtract", xx, yy), 0.125);
        double const pp = p * p, qq = q * q;
        q = p * q * 0.5 + 0.25, p = pp - qq + 0.125;
    }
    EXPECT_EQ(values<double>(x)[many - 1], p);
    EXPECT_EQ(values<double>(y)[0], q);
    auto const now = statistics();
    EXPECT_GT(now.values - before.values, 60 * (now.plans - before.plans));
}

TEST(limits, a_graph_keeps_few_dead_inputs) {
    backend_memory m{};
    auto in_use = [&] { return cpu().api->memory(0, &m), m.in_use; };
    auto const before = in_use();
    constexpr std::int64_t n = 1 << 18;  // 2 MiB each
    array total = make(cpu(), std::vector<double>(n, 0));
    for (int i = 0; i < 16; ++i) {
        total = apply("add", total, make(cpu(), counted(n, i)));
        EXPECT_LE(in_use() - before, 4 * n * 8) << "after " << i;
    }
    EXPECT_EQ(values<double>(total)[3], 16 * 3 + 15 * 16 / 2);
}

TEST(limits, a_graph_keeps_few_dead_inputs_after_a_crowd) {
    backend_memory m{};
    auto in_use = [&] { return cpu().api->memory(0, &m), m.in_use; };
    constexpr std::int64_t n = 1 << 18;  // 2 MiB each
    for (bool const evaluated : {false, true}) {
        std::vector<array> crowd;
        for (int i = 0; i < 500; ++i) crowd.push_back(apply("add", make(cpu(), counted(9000)), double(i)));
        if (evaluated) { EXPECT_EQ(values<double>(crowd[7])[3], 10); }
        array total = make(cpu(), std::vector<double>(n, 0)), last = crowd.back();
        total = apply("add", total, 0.0);
        crowd.clear();
        auto const before = in_use();
        for (int i = 0; i < 16; ++i) {
            total = apply("add", total, make(cpu(), counted(n, i)));
            EXPECT_LE(in_use() - before, 4 * n * 8) << "after " << i;
        }
        EXPECT_EQ(values<double>(total)[3], 16 * 3 + 15 * 16 / 2);
        EXPECT_EQ(values<double>(last)[3], 502);
    }
}

TEST(memory_error_, leaves_everything_pending_and_runs_later) {
    constexpr std::int64_t n = 1 << 20;
    array const a = make(cpu(), counted(n));
    array const dear = apply("expm1", apply("multiply", a, 1e-6)), r = apply("add", dear, a),
                total = reduce_with("sum", r);
    {
        with_memory_limit const little(cpu(), 1 << 20);
        EXPECT_THROW(run(r), memory_error);
        EXPECT_TRUE(pending(r));
        EXPECT_TRUE(pending(dear));
        EXPECT_TRUE(pending(total));
        EXPECT_THROW(values<double>(dear), memory_error);
        EXPECT_EQ(values<double>(a), counted(n)) << "what was in memory is unharmed";
    }
    auto const x = values<double>(dear), y = values<double>(r);
    for (std::size_t i : {std::size_t{0}, std::size_t{12345}, std::size_t{n - 1}})
        EXPECT_EQ(y[i], x[i] + static_cast<double>(i));
    EXPECT_GT(values<double>(total)[0], 0);
}

TEST(memory_error_, a_write_that_cannot_run_is_still_pending) {
    constexpr std::int64_t n = 1 << 20;
    array const a = make(cpu(), counted(n)), held = sliced(a, 0, 10);
    array const old = apply("exp", a);
    {
        with_memory_limit const little(cpu(), 1 << 20);
        EXPECT_THROW(assign(a, scalar(1.0)), memory_error) << "its pending reader has to run first";
        EXPECT_EQ(values<double>(held), counted(10));
    }
    assign(a, scalar(1.0));
    EXPECT_EQ(values<double>(old)[0], 1.0);
    EXPECT_EQ(values<double>(held), std::vector<double>(10, 1.0));
}

TEST(explain_, names_the_program_and_what_is_held) {
    array const a = make(cpu(), numbers(many));
    EXPECT_EQ(explain(a), "in memory: float64(80000,) on cpu\n");
    array const r = apply("add", apply("multiply", a, 2.0), a);
    EXPECT_EQ(explain(r),
              "pending on cpu: 2 operations, 2 reads of memory, 1 pass; runs when a value is read or what it "
              "reads is about to be written, and before it has more than 88 operations, casts, constants and reads\n"
              "  %0 = multiply(memory float64, float64 constant)  float64(80000,)\n"
              "  %1 = add(%0, memory float64)  float64(80000,)  held\n");
    std::string const reduced = explain(reduce_with("sum", r));
    EXPECT_NE(reduced.find("%2 = sum(%1)  float64()  over (80000,)  held"), std::string::npos) << reduced;
    EXPECT_TRUE(pending(r)) << "explaining runs nothing";
}

TEST(pending_list, forgotten_results_are_not_counted) {
    array const a = make(cpu(), numbers(many));
    auto const before = statistics().pending;
    {
        array const r = chain(a, 3);
        EXPECT_GT(statistics().pending, before);
    }
    EXPECT_EQ(statistics().pending, before);
}

}  // namespace
}  // namespace bascule::testing
