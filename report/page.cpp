// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/data.hpp"
#include "report/embedded.hpp"
#include "report/map.hpp"
#include "report/parts.hpp"
#include "report/report.hpp"
#include "report/words.hpp"

namespace breakeven::report {

namespace {

/// Ends no element that it stands in.
std::string in_script(std::string text) {
  for (std::size_t at = text.find("</"); at != text.npos; at = text.find("</", at + 3)) {
    text.replace(at, 2, "<\\/");
  }
  return text;
}

std::set<std::string> variants_of(std::span<const Sheet> sheets) {
  std::set<std::string> chosen;
  for (const Sheet& sheet : sheets) {
    for (const tuner::Decision* each : sheet.cells) {
      if (each != nullptr) chosen.insert(choice_of(*each));
    }
  }
  return chosen;
}

/// What the colours mean: a swatch for each algorithm that is chosen, families together.
/// @param gaps  whether something was not measured
std::string legend(const std::map<std::string, std::string>& short_names, bool gaps) {
  struct Entry {
    int family = 0;
    std::string algorithm{};
    std::string letters{};
    auto operator<=>(const Entry&) const = default;
  };
  std::set<Entry> entries;
  for (const auto& [variant, letters] : short_names) {
    entries.insert({family_of(variant), std::string{without_params(variant)}, letters});
  }
  const auto swatch = [](std::string_view fill, std::string_view mark) {
    return fmt::format(
        "<li><svg class=\"swatch\" width=\"26\" height=\"16\" aria-hidden=\"true\"><rect "
        "class=\"{}\" width=\"26\" height=\"16\"/>{}</svg>",
        fill, mark);
  };
  std::string text = "<ul class=\"legend\" aria-label=\"Legend\">";
  for (const Entry& each : entries) {
    text += swatch(fmt::format("f{}", each.family),
                   fmt::format("<text x=\"13\" y=\"12\">{}</text>", escaped(each.letters))) +
            escaped(display_name(each.algorithm));
  }
  text += swatch("f0", "<path class=\"doubt\" d=\"M0 0h26v16h-26z\"/>") +
          "undecided: another may be more than 3 % faster, or there are fewer than 3 launches";
  if (gaps) text += swatch("missing", "") + "not measured";
  return text + "</ul>\n";
}

/// @param database  of several, to tell them apart; else empty
std::string panel(const Sheet& sheet, std::size_t subject, std::size_t number,
                  const std::map<std::string, std::string>& short_names,
                  const std::string& database = {}) {
  const std::string mapping = escaped(to_text(sheet.kind.mapping));
  std::vector<std::string> notes;
  if (!database.empty()) notes.push_back(escaped(database));
  if (moves_data(sheet.kind.collective)) notes.push_back(data_text(sheet.kind));
  if (std::ranges::any_of(sheet.rows, [](const Row& row) { return row.nodes > 1; })) {
    notes.push_back("mapping " + mapping);
  }
  return fmt::format(
      "<figure class=\"panel\" data-subject=\"{}\" data-sheet=\"{}\" data-mapping=\"{}\">"
      "<figcaption><h3>{}</h3><span class=\"note\">{}</span></figcaption>\n<div class=\"scroll\">"
      "{}</div>{}</figure>\n",
      subject, number, mapping, kCollectives.of(sheet.kind.collective), fmt::join(notes, "; "),
      map_svg(sheet, short_names), choices_list(sheet));
}

std::string maps(std::span<const Sheet> sheets, std::size_t subject,
                 const std::map<std::string, std::string>& short_names) {
  std::string text = "<div class=\"maps\">\n";
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    text += panel(sheets[i], subject, i, short_names);
  }
  return text + "</div>\n";
}

/// Side by side, each map beside that of the same collective.
/// @param names  of both databases
std::string pairs(std::span<const Sheet> first, std::span<const Sheet> second,
                  const std::pair<std::string, std::string>& names,
                  const std::map<std::string, std::string>& short_names) {
  const auto alike = [](const Sheet& one, const Sheet& other) {
    const auto key = [](const Sheet& sheet) {
      return std::tuple(sheet.kind.collective, sheet.kind.mapping, data_text(sheet.kind));
    };
    return key(one) == key(other);
  };
  const auto missing = [](const std::string& database) {
    return fmt::format("<p class=\"panel note\">not measured in {}</p>\n", escaped(database));
  };
  std::string text = "<div class=\"maps paired\">\n";
  std::set<std::size_t> told;
  for (std::size_t i = 0; i < first.size(); ++i) {
    text += panel(first[i], 0, i, short_names, names.first);
    const auto other =
        std::ranges::find_if(second, [&](const Sheet& each) { return alike(first[i], each); });
    if (other == second.end()) {
      text += missing(names.second);
      continue;
    }
    const auto number = static_cast<std::size_t>(other - second.begin());
    told.insert(number);
    text += panel(*other, 1, number, short_names, names.second);
  }
  for (std::size_t i = 0; i < second.size(); ++i) {
    if (told.contains(i)) continue;
    text += missing(names.first) + panel(second[i], 1, i, short_names, names.second);
  }
  return text + "</div>\n";
}

std::string section(std::string_view id, std::string_view title, const std::string& body) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>"
      "\n{2}</section>\n",
      id, title, body);
}

std::string head(const Contents& contents) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>Breakeven: {}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{}</style>\n"
      "</head>\n",
      escaped(contents.subject.machine.name), page_css());
}

}  // namespace

bool available() { return !d3_js().empty(); }

std::string page(const Contents& contents) {
  const std::vector<Sheet> sheets = sheets_of(contents.subject.decisions);
  std::vector<Sheet> others;
  if (contents.against) others = sheets_of(contents.against->decisions);
  std::size_t cells = 0;
  for (const std::span<const Sheet> each : {std::span{sheets}, std::span<const Sheet>{others}}) {
    for (const Sheet& sheet : each) cells += sheet.cells.size();
  }
  Data data{cells};
  data.add(contents.subject, sheets);
  if (contents.against) data.add(*contents.against, others);

  std::set<std::string> chosen = variants_of(sheets);
  chosen.merge(variants_of(others));
  const auto short_names = abbreviations({chosen.begin(), chosen.end()});
  const auto has_gaps = [](const Sheet& sheet) {
    return std::ranges::count(sheet.cells, nullptr) > 0;
  };
  const bool gaps = std::ranges::any_of(sheets, has_gaps) || std::ranges::any_of(others, has_gaps);

  std::string text = head(contents);
  text += fmt::format(
      "<body>\n<svg width=\"0\" height=\"0\" aria-hidden=\"true\" class=\"defs\"><defs><pattern "
      "id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><path d=\"M0 0v5\"/></pattern><pattern id=\"crosses\" "
      "width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\"><path d=\"M3 3l4 4m0-4l-4 4\"/>"
      "</pattern></defs></svg>\n"
      "<header><p class=\"kicker\">Breakeven · {} · {}</p>\n<h1 class=\"finding\">{}</h1>\n",
      escaped(contents.subject.machine.name), contents.date,
      findings_sentence(contents.subject, sheets));
  text += fmt::format("<p class=\"sure\">{}</p>\n", certainty_sentence(sheets));
  if (contents.subject.machine.kind == MachineKind::model) {
    text +=
        "<p class=\"sure\">Predicted: all of it holds if the model does, whose error is in no "
        "number here.</p>\n";
  }
  if (contents.profile) {
    text += fmt::format("<p>{}</p>\n", program_sentence(contents.subject, *contents.profile));
  }
  text +=
      "</header>\n<main>\n<section id=\"maps\" aria-label=\"Maps\">\n<div id=\"tools\" "
      "hidden></div>\n" +
      legend(short_names, gaps);
  if (contents.against) {
    text +=
        pairs(sheets, others, {contents.subject.database, contents.against->database}, short_names);
  } else {
    text += maps(sheets, 0, short_names);
  }
  text +=
      "<p class=\"note\">A table decides all sizes together: one rule more has to save 3.5 % over "
      "one doubling of the size. Lines are break-even points.</p></section>\n";
  if (contents.profile) {
    text += section("program", "The program's calls", program_list(contents.subject));
  }
  if (contents.against) {
    text += section("comparison", "Both databases compared",
                    fmt::format("<pre>{}</pre>", escaped(contents.comparison)));
  }
  text += section("guidelines", "Performance guidelines", guidelines_part(contents));
  text += section("settings", "Settings for the library", settings_part(contents));
  text += section("doctor", "What disturbed the measurements",
                  doctor_part(contents.subject.inspection));
  text +=
      section("origin", "What was measured, where, and how to repeat it", origin_part(contents));
  text += "</main>\n<aside id=\"detail\" hidden></aside>\n";
  text += fmt::format(
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>/*\n{}*/\n{}</script>\n"
      "<script>\n\"use strict\";\n{{\n{}{}{}{}}}\n</script>\n</body>\n</html>\n",
      in_script(
          std::move(data).json().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)),
      d3_licence(), d3_js(), cells_js(), player_js(), detail_js(), page_js());
  return text;
}

}  // namespace breakeven::report
