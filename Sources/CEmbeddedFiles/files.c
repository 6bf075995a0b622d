#include "files.h"

const char *changelog(void) {
    static const char text[] = {
#embed "../../config/debian/changelog" limit(200) suffix(, 0)
    };
    return text;
}

const char *house_yaml(void) {
    static const char text[] = {
#embed "../../config/fleets/house.yaml" suffix(, 0)
    };
    return text;
}

const char *index_html(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/index.html" suffix(, 0)
    };
    return text;
}

const char *api_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/api.js" suffix(, 0)
    };
    return text;
}

const char *device_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/device.js" suffix(, 0)
    };
    return text;
}

const char *devices_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/devices.js" suffix(, 0)
    };
    return text;
}

const char *dom_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/dom.js" suffix(, 0)
    };
    return text;
}

const char *events_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/events.js" suffix(, 0)
    };
    return text;
}

const char *format_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/format.js" suffix(, 0)
    };
    return text;
}

const char *gateways_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/gateways.js" suffix(, 0)
    };
    return text;
}

const char *icon_svg(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/icon.svg" suffix(, 0)
    };
    return text;
}

const char *main_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/main.js" suffix(, 0)
    };
    return text;
}

const char *manifest_json(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/manifest.json" suffix(, 0)
    };
    return text;
}

const char *nearby_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/nearby.js" suffix(, 0)
    };
    return text;
}

const char *page_css(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/page.css" suffix(, 0)
    };
    return text;
}

const char *pairing_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/pairing.js" suffix(, 0)
    };
    return text;
}

const char *payload_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/payload.js" suffix(, 0)
    };
    return text;
}

const char *plot_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/plot.js" suffix(, 0)
    };
    return text;
}

const char *world_js(void) {
    static const char text[] = {
#embed "../bluefleet-dashboard/page/world.js" suffix(, 0)
    };
    return text;
}
