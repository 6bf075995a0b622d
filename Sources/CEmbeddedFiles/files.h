// Text files of this project that are part of the programs, as C strings.
//
// Swift Package Manager would embed a file as a Swift array with an element for each byte. For 40,000 bytes, the compiler
// then takes 10 s, in each build.
#pragma once
#pragma clang assume_nonnull begin

/// Returns the beginning of config/debian/changelog, with the version in its top entry.
const char *changelog(void);

/// Returns config/fleets/house.yaml.
const char *house_yaml(void);

// The functions below return the files of Sources/bluefleet-dashboard/page.

const char *index_html(void);
const char *api_js(void);
const char *device_js(void);
const char *devices_js(void);
const char *dom_js(void);
const char *events_js(void);
const char *format_js(void);
const char *gateways_js(void);
const char *icon_svg(void);
const char *main_js(void);
const char *manifest_json(void);
const char *nearby_js(void);
const char *page_css(void);
const char *pairing_js(void);
const char *payload_js(void);
const char *plot_js(void);
const char *world_js(void);

#pragma clang assume_nonnull end
