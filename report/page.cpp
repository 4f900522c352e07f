// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/xml.hpp"
#include "report/data.hpp"
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

/// All maps of a page.
struct Maps {
  explicit Maps(const Contents& contents)
      : own{sheets_of(contents.subject.decisions, Panels::for_each_mapping)} {
    if (contents.against) {
      others = sheets_of(contents.against->decisions, Panels::for_each_mapping);
    }
    std::set<std::string> chosen;
    for (const std::vector<Sheet>* const sheets : {&own, &others}) {
      for (const Sheet& sheet : *sheets) {
        gaps |= has_gaps(sheet);
        cells += sheet.cells.size();
        for (const tuner::Decision* each : sheet.cells) {
          if (each != nullptr) chosen.insert(choice_of(*each));
        }
      }
    }
    short_names = abbreviations({chosen.begin(), chosen.end()});
  }

  std::vector<Sheet> own;
  std::vector<Sheet> others{};                       ///< of the other database, if there is one
  std::map<std::string, std::string> short_names{};  ///< of the choices
  bool gaps = false;                                 ///< whether something was not measured
  std::size_t cells = 0;
};

constexpr std::size_t kSwatch = 26;  // pixels wide, at least

/// The meaning of colours: a swatch for each algorithm that is chosen, families together.
std::string legend(const Maps& maps) {
  struct Entry {
    std::size_t family = 0;
    std::string algorithm{};
    std::string letters{};
    auto operator<=>(const Entry&) const = default;
  };
  std::set<Entry> entries;
  for (const auto& [variant, letters] : maps.short_names) {
    entries.insert({family_of(variant), std::string{without_params(variant)}, letters});
  }
  const auto swatch = [](std::string_view fill, std::string_view mark,
                         std::size_t width = kSwatch) {
    return fmt::format(
        "<li><svg class=\"swatch\" width=\"{0}\" height=\"16\" aria-hidden=\"true\"><rect "
        "class=\"{1}\" width=\"{0}\" height=\"16\"/>{2}</svg>",
        width, fill, mark);
  };
  std::string text = "<ul class=\"legend\" aria-label=\"Legend\">";
  for (const Entry& each : entries) {
    const std::size_t width = std::max(kSwatch, 6 * each.letters.size() + 2);
    text +=
        swatch(fmt::format("f{}", each.family),
               fmt::format("<text x=\"{}\" y=\"12\">{}</text>", width / 2, escaped(each.letters)),
               width) +
        escaped(display_name(each.algorithm));
  }
  text += swatch("f0", "<path class=\"doubt\" d=\"M0 0h26v16h-26z\"/>") +
          "undecided: another may be more than 3 % faster, or there are fewer than 3 launches";
  if (maps.gaps) text += swatch("missing", "") + "not measured";
  return text + "</ul>\n";
}

/// @param database  of several, to tell them apart; else empty
std::string panel(const Sheet& sheet, std::size_t subject, std::size_t number,
                  const std::map<std::string, std::string>& short_names,
                  const std::string& database = {}) {
  const std::string mapping = escaped(to_text(sheet.kind.mapping));
  std::vector<std::string> notes;
  if (!database.empty()) notes.push_back(escaped(database));
  if (const std::string data = data_text(sheet.kind); !data.empty()) notes.push_back(data);
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

std::string panels(const Maps& maps) {
  std::string text = "<div class=\"maps\">\n";
  for (std::size_t i = 0; i < maps.own.size(); ++i) {
    text += panel(maps.own[i], 0, i, maps.short_names);
  }
  return text + "</div>\n";
}

/// Maps side by side, in pairs of the same collective.
/// @param names  of both databases
std::string pairs(const Maps& maps, const std::pair<std::string, std::string>& names) {
  const auto key = [](const Sheet& sheet) {
    return std::tuple(sheet.kind.collective, sheet.kind.mapping, data_text(sheet.kind));
  };
  const auto missing = [](const std::string& database) {
    return fmt::format("<p class=\"panel note\">not measured in {}</p>\n", escaped(database));
  };
  std::string text = "<div class=\"maps paired\">\n";
  std::set<std::size_t> told;
  for (std::size_t i = 0; i < maps.own.size(); ++i) {
    text += panel(maps.own[i], 0, i, maps.short_names, names.first);
    const auto other = std::ranges::find(maps.others, key(maps.own[i]), key);
    if (other == maps.others.end()) {
      text += missing(names.second);
      continue;
    }
    const auto number = static_cast<std::size_t>(other - maps.others.begin());
    told.insert(number);
    text += panel(*other, 1, number, maps.short_names, names.second);
  }
  for (std::size_t i = 0; i < maps.others.size(); ++i) {
    if (told.contains(i)) continue;
    text += missing(names.first) + panel(maps.others[i], 1, i, maps.short_names, names.second);
  }
  return text + "</div>\n";
}

std::string section(std::string_view id, std::string_view title, const std::string& body) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>"
      "\n{2}</section>\n",
      id, title, body);
}

/// Of the families of algorithms; the library's default is in page.css.
std::string colours() {
  std::string css;
  for (std::size_t i = 1; i < families().size(); ++i) {
    const auto& [words, fill, line] = families()[i];
    css +=
        fmt::format(".f{0} {{ fill: {1}; }} .c{0} {{ stroke: {2}; color: {2}; }}\n", i, fill, line);
  }
  return css;
}

std::string head(const Contents& contents) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>Breakeven: {}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{}{}</style>\n"
      "</head>\n",
      escaped(contents.subject.machine.name), page_css(), colours());
}

/// Patterns, and what was found in a few sentences.
std::string header(const Contents& contents, const Maps& maps) {
  std::string text = fmt::format(
      "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" class=\"defs\"><defs><pattern "
      "id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><path d=\"M0 0v5\"/></pattern><pattern id=\"crosses\" "
      "width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\"><path d=\"M3 3l4 4m0-4l-4 4\"/>"
      "</pattern></defs></svg>\n"
      "<header><p class=\"kicker\">Breakeven · {} · {}</p>\n<h1 class=\"finding\">{}</h1>\n"
      "<p class=\"sure\">{}</p>\n",
      escaped(contents.subject.machine.name), contents.date,
      findings_sentence(contents.subject, maps.own), certainty_sentence(maps.own));
  if (contents.subject.machine.kind == MachineKind::model) {
    text +=
        "<p class=\"sure\">Predicted: all of it holds if the model does, whose error is in no "
        "number here.</p>\n";
  }
  if (contents.profile) {
    text += fmt::format("<p>{}</p>\n", program_sentence(contents.subject, *contents.profile));
  }
  return text + "</header>\n";
}

std::string maps_part(const Contents& contents, const Maps& maps) {
  return "<section id=\"maps\" aria-label=\"Maps\">\n<div id=\"tools\" hidden></div>\n" +
         legend(maps) +
         (contents.against ? pairs(maps, {contents.subject.database, contents.against->database})
                           : panels(maps)) +
         "<p class=\"note\">A table decides all sizes together: one rule more has to save 3.5 % "
         "over one doubling of the size. Lines are break-even points.</p></section>\n";
}

std::string lists(const Contents& contents) {
  std::string text;
  if (contents.profile) {
    text += section("program", "The program's calls",
                    program_list(contents.subject, *contents.profile));
  }
  if (contents.against) {
    text += section("comparison", "Both databases compared",
                    fmt::format("<pre>{}</pre>", escaped(contents.comparison)));
  }
  return text + section("guidelines", "Performance guidelines", guidelines_part(contents)) +
         section("settings", "Settings for the library", settings_part(contents)) +
         section("doctor", "Disturbances of the measurements",
                 doctor_part(contents.subject.inspection)) +
         section("origin", "The measurements, the machine, and how to repeat them",
                 origin_part(contents));
}

std::string scripts(const Contents& contents, const Maps& maps) {
  Data data{maps.cells};
  data.add(contents.subject, maps.own);
  if (contents.against) data.add(*contents.against, maps.others);
  return fmt::format(
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>/*\n{}*/\n{}</script>\n"
      "<script>\n\"use strict\";\n{{\n{}{}{}{}}}\n</script>\n",
      in_script(line_of(std::move(data).json())), d3_licence(), d3_js(), cells_js(), player_js(),
      detail_js(), page_js());
}

}  // namespace

bool available() { return !d3_js().empty(); }

std::string page(const Contents& contents) {
  const Maps maps{contents};
  return head(contents) + "<body>\n" + header(contents, maps) + "<main>\n" +
         maps_part(contents, maps) + lists(contents) +
         "</main>\n<aside id=\"detail\" hidden></aside>\n" + scripts(contents, maps) +
         "</body>\n</html>\n";
}

}  // namespace breakeven::report
