// parse_times: each row is matched item by item, the longest choice first, with a step back where the rest does not
// match; so strptime's regular expressions do, and nearly every row matches without a step back.
#include <array>
#include <string_view>

#include "backend/cpu/common/calendar.hpp"
#include "backend/cpu/common/characters.hpp"
#include "backend/cpu/strings/rows.hpp"
#include "backend/cpu/strings/strings.hpp"

namespace bascule::cpu::strings {
namespace {

using text = std::string_view;

constexpr std::array<text, 12> months{"january", "february", "march",     "april",   "may",      "june",
                                      "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<text, 7> days{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
constexpr std::array<text, 2> halves{"am", "pm"};

// The numbers of an item: between `low` and `high`, of `most` digits or, down to one, fewer.
struct number_rule {
    int least, most, low, high;
};
constexpr number_rule rule_of(time_field f) {
    switch (f) {
        case time_field::year: return {4, 4, 0, 9999};
        case time_field::short_year: return {2, 2, 0, 99};
        case time_field::month: return {1, 2, 1, 12};
        case time_field::day: return {1, 2, 1, 31};
        case time_field::day_of_year: return {1, 3, 1, 366};
        case time_field::hour: return {1, 2, 0, 23};
        case time_field::half_hour: return {1, 2, 1, 12};
        case time_field::minute: return {1, 2, 0, 59};
        case time_field::second: return {1, 2, 0, 61};
        case time_field::fraction: return {1, 9, 0, 999'999'999};
        default: return {};
    }
}

class matcher {
public:
    explicit matcher(parse_times_args const& a) : items_(a.items), count_(a.nitems) {
        for (i64 k = 0; k < count_; ++k) by_day_of_year_ |= items_[k].field == time_field::day_of_year;
    }

    i64 operator()(text t) {
        if (t.empty() || (t.size() == 3 && is_nat(t))) return no_time;
        end_ = t.data() + t.size();
        found_ = {};
        return matches(0, t.data()) ? time() : not_a_time;
    }

private:
    struct parts {
        i64 year = 1900, month = 1, day = 1, day_of_year = 1, hour = 0, minute = 0, second = 0, microsecond = 0;
        i64 half = 0, fraction_digits = 0;
        bool of_twelve = false;
    };

    static bool is_nat(text t) {
        return t == "NaT" || t == "nat" || t == "NAT" || t == "nan" || t == "NaN" || t == "NAN";
    }

    // Whether the items from k on match the text from p on. The first match decides, even if text is left after it.
    bool matches(i64 k, char const* p) {
        if (k == count_) return stopped_ = p, true;
        time_item const item = items_[k];
        switch (item.field) {
            case time_field::literal:
                return p < end_ && in_lower_case(*p) == in_lower_case(item.byte) && matches(k + 1, p + 1);
            case time_field::space: {
                char const* q = p;
                while (q < end_ && is_white_space(*q)) ++q;
                for (; q > p; --q)
                    if (matches(k + 1, q)) return true;
                return false;
            }
            case time_field::month_name: return name(k, p, months, 0, found_.month);
            case time_field::short_month: return name(k, p, months, 3, found_.month);
            case time_field::day_name: return name(k, p, days, 0, unused_);
            case time_field::short_day: return name(k, p, days, 3, unused_);
            case time_field::half_day: return name(k, p, halves, 0, found_.half);
            default: return number(k, p, item.field);
        }
    }

    template <std::size_t N>
    bool name(i64 k, char const* p, std::array<text, N> const& names, std::size_t letters, i64& value) {
        for (std::size_t i = 0; i < N; ++i) {
            text const wanted = letters ? names[i].substr(0, letters) : names[i];
            if (static_cast<std::size_t>(end_ - p) < wanted.size()) continue;
            std::size_t n = 0;
            while (n < wanted.size() && in_lower_case(p[n]) == wanted[n]) ++n;
            if (n < wanted.size()) continue;
            value = static_cast<i64>(i) + 1;
            if (matches(k + 1, p + n)) return true;
        }
        return false;
    }

    bool number(i64 k, char const* p, time_field field) {
        number_rule const rule = rule_of(field);
        i64 values[10];
        int digits = 0;
        for (i64 v = 0; digits < rule.most && p + digits < end_ && is_digit(p[digits]);) {
            v = v * 10 + (p[digits] - '0');
            values[++digits] = v;
        }
        for (int n = digits; n >= rule.least; --n) {
            if (values[n] < rule.low || values[n] > rule.high) continue;
            set(field, values[n], n);
            if (matches(k + 1, p + n)) return true;
        }
        bool const padded = field == time_field::day && end_ - p >= 2 && *p == ' ' && p[1] >= '1' && p[1] <= '9';
        return padded && (set(field, p[1] - '0', 1), matches(k + 1, p + 2));
    }

    void set(time_field field, i64 value, int digits) {
        switch (field) {
            case time_field::year: found_.year = value; break;
            case time_field::short_year: found_.year = value + (value < 69 ? 2000 : 1900); break;
            case time_field::month: found_.month = value; break;
            case time_field::day: found_.day = value; break;
            case time_field::day_of_year: found_.day_of_year = value; break;
            case time_field::half_hour: found_.of_twelve = true; [[fallthrough]];
            case time_field::hour: found_.hour = value; break;
            case time_field::minute: found_.minute = value; break;
            case time_field::second: found_.second = value; break;
            case time_field::fraction:
                found_.fraction_digits = digits;
                found_.microsecond = value;
                break;
            default: break;
        }
    }

    i64 time() const {
        parts const& f = found_;
        if (stopped_ != end_ || f.fraction_digits > 6 || f.year == 0) return not_a_time;
        i64 days = 0, microsecond = f.microsecond, hour = f.hour;
        if (by_day_of_year_) days = days_before(f.year, 1, 1) + f.day_of_year - 1;
        else if (f.day > days_in_month(static_cast<unsigned>(f.year), static_cast<unsigned>(f.month)))
            return not_a_time;
        else days = days_before(f.year, static_cast<unsigned>(f.month), static_cast<unsigned>(f.day));
        for (i64 n = f.fraction_digits; n > 0 && n < 6; ++n) microsecond *= 10;
        if (f.of_twelve) hour = hour % 12 + (f.half == 2 ? 12 : 0);
        return (((days * 24 + hour) * 60 + f.minute) * 60 + f.second) * 1'000'000 + microsecond;
    }

    time_item const* items_;
    i64 count_, unused_ = 0;
    bool by_day_of_year_ = false;
    char const *end_ = nullptr, *stopped_ = nullptr;
    parts found_;
};

}  // namespace

status parse_times(parse_times_args const& a) noexcept {
    for_each_chunk(pieces_of(a.in.length), [&](i64, i64 begin, i64 end) {
        matcher match(a);
        for (i64 i = begin; i < end; ++i) {
            i64 const first = a.in.offsets[i], size = a.in.offsets[i + 1] - first;
            a.out[i] = is_valid(a.in.validity, i) ? match(text(a.in.bytes + first, static_cast<std::size_t>(size)))
                                                  : no_time;
        }
    });
    return status::ok;
}

}  // namespace bascule::cpu::strings
