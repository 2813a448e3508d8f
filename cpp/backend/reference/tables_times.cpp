// Times in a format, by the regular expression that Python's strptime makes of it, and days counted one year at a time.
#include <cctype>
#include <regex>
#include <string>
#include <vector>

#include "backend/reference/tables_strings.hpp"

namespace bascule::reference {
namespace {

std::string const months[] = {"january", "february", "march",     "april",   "may",      "june",
                              "july",    "august",   "september", "october", "november", "december"};
std::string const days[] = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};

template <std::size_t N> std::string one_of(std::string const (&names)[N], std::size_t letters = 99) {
    std::string all;
    for (auto const& n : names) all += (all.empty() ? "(" : "|") + n.substr(0, letters);
    return all + ")";
}

std::string expression_of(time_item const& item) {
    switch (item.field) {
        case time_field::literal:
            return std::isalnum(static_cast<unsigned char>(item.byte)) ? std::string(1, item.byte)
                                                                       : std::string{'\\', item.byte};
        case time_field::space: return "(\\s+)";
        case time_field::year: return "(\\d\\d\\d\\d)";
        case time_field::short_year: return "(\\d\\d)";
        case time_field::month: return "(1[0-2]|0[1-9]|[1-9])";
        case time_field::day: return "(3[0-1]|[1-2]\\d|0[1-9]|[1-9]| [1-9])";
        case time_field::day_of_year: return "(36[0-6]|3[0-5]\\d|[1-2]\\d\\d|0[1-9]\\d|00[1-9]|[1-9]\\d|0[1-9]|[1-9])";
        case time_field::hour: return "(2[0-3]|[0-1]\\d|\\d)";
        case time_field::half_hour: return "(1[0-2]|0[1-9]|[1-9])";
        case time_field::minute: return "([0-5]\\d|\\d)";
        case time_field::second: return "(6[0-1]|[0-5]\\d|\\d)";
        case time_field::fraction: return "([0-9]{1,9})";
        case time_field::month_name: return one_of(months);
        case time_field::short_month: return one_of(months, 3);
        case time_field::day_name: return one_of(days);
        case time_field::short_day: return one_of(days, 3);
        case time_field::half_day: return "(am|pm)";
    }
    return "";
}

bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

std::int64_t month_of(std::string const& word) {
    for (std::int64_t m = 1; m <= 12; ++m)
        if (std::tolower(word[0]) == months[m - 1][0] && std::tolower(word[1]) == months[m - 1][1] &&
            std::tolower(word[2]) == months[m - 1][2])
            return m;
    return 0;
}

std::int64_t time_of(std::vector<time_item> const& fields, std::smatch const& found) {
    int year = 1900, month = 1, day = 1, of_year = 0, hour = 0, minute = 0, second = 0, microsecond = 0, twelve = 0;
    std::string half;
    for (std::size_t k = 0; k < fields.size(); ++k) {
        std::string word = found[k + 1];
        switch (fields[k].field) {
            case time_field::year: year = std::stoi(word); break;
            case time_field::short_year: year = std::stoi(word) + (std::stoi(word) <= 68 ? 2000 : 1900); break;
            case time_field::month: month = std::stoi(word); break;
            case time_field::month_name:
            case time_field::short_month: month = static_cast<int>(month_of(word)); break;
            case time_field::day: day = std::stoi(word); break;
            case time_field::day_of_year: of_year = std::stoi(word); break;
            case time_field::half_hour: twelve = 1; [[fallthrough]];
            case time_field::hour: hour = std::stoi(word); break;
            case time_field::minute: minute = std::stoi(word); break;
            case time_field::second: second = std::stoi(word); break;
            case time_field::fraction:
                if (word.size() > 6) return not_a_time;
                word.resize(6, '0');
                microsecond = std::stoi(word);
                break;
            case time_field::half_day: half = word; break;
            default: break;
        }
    }
    if (year == 0) return not_a_time;
    if (twelve) hour = hour % 12 + (!half.empty() && std::tolower(half[0]) == 'p' ? 12 : 0);
    std::int64_t since = 0;
    for (int y = 1970; y < year; ++y) since += is_leap(y) ? 366 : 365;
    for (int y = year; y < 1970; ++y) since -= is_leap(y) ? 366 : 365;
    int const lengths[] = {31, is_leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (of_year > 0) {
        since += of_year - 1;
    } else {
        if (day > lengths[month - 1]) return not_a_time;
        for (int m = 1; m < month; ++m) since += lengths[m - 1];
        since += day - 1;
    }
    return (((since * 24 + hour) * 60 + minute) * 60 + second) * 1'000'000 + microsecond;
}

}  // namespace

void parse_times(parse_times_args const& a) {
    std::string expression;
    std::vector<time_item> fields;
    for (std::int64_t k = 0; k < a.nitems; ++k) {
        expression += expression_of(a.items[k]);
        if (a.items[k].field != time_field::literal) fields.push_back(a.items[k]);
    }
    std::regex const wanted(expression, std::regex::icase);
    for (std::int64_t i = 0; i < a.in.length; ++i) {
        bool const valid = a.in.validity == nullptr || (a.in.validity[i / 8] >> (i % 8) & 1) != 0;
        std::string const text(a.in.bytes + a.in.offsets[i], a.in.bytes + a.in.offsets[i + 1]);
        bool nothing = !valid || text.empty();
        for (char const* word : {"NaT", "nat", "NAT", "nan", "NaN", "NAN"}) nothing |= text == word;
        std::smatch found;
        if (nothing) a.out[i] = no_time;
        else if (!std::regex_search(text, found, wanted, std::regex_constants::match_continuous)) a.out[i] = not_a_time;
        else a.out[i] = found.suffix().length() > 0 ? not_a_time : time_of(fields, found);
    }
}

}  // namespace bascule::reference
