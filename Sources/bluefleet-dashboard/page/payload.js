// Payloads in the shapes that the views expect, whatever a publisher has sent. Other members stay as they are.

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const object = (value) => (isObject(value) ? value : {});
const objects = (value) => (Array.isArray(value) ? value.filter(isObject) : []);
const named = (value) => objects(value).filter(({name}) => typeof name === "string");
const members = (value) => Object.fromEntries(Object.entries(object(value)).filter(([, member]) => isObject(member)));

/** The members of a gateway by topic. */
export const gatewayMembers = {
  state: (payload) => object(payload).state ?? "offline",
  info: object,
  health: (payload) => {
    const {adapters, devices, spool, broker, ...rest} = object(payload);
    const {refused, restrictions, ...limits} = object(broker);
    return {
      ...rest,
      adapters: named(adapters),
      devices: members(devices),
      spool: object(spool),
      broker: {...limits, refused: objects(refused), restrictions: objects(restrictions)}
    };
  },
  adapters: (payload) => ({adapters: named(object(payload).adapters)}),
  devices: (payload) => ({devices: named(object(payload).devices)}),
};

/** Returns a gateway of the summary. */
export function gatewayRow({name, state, ...topics}) {
  const row = {name, state};
  for (const [topic, payload] of Object.entries(topics))
    if (payload != null && Object.hasOwn(gatewayMembers, topic)) row[topic] = gatewayMembers[topic](payload);
  return row;
}

/** Returns a device of the summary or of the list of a gateway. */
export function deviceRow(row) {
  const {rssi, battery, availability, connection, readings} = row;
  return {
    ...row,
    rssi: signal(rssi),
    battery: signal(battery),
    availability: object(availability),
    connection: status(connection),
    readings: named(readings),
    switches: object(row.switches),
    units: object(row.units),
    gateways: new Set(Array.isArray(row.gateways) ? row.gateways : row.gateway ? [row.gateway] : []),
  };
}

/** Returns a number; undefined for anything else. */
export const signal = (value) => (Number.isFinite(value) ? value : undefined);

/** Returns the payload of the topic `connection` or `availability`. */
export function status(payload) {
  const {rssi, ...rest} = object(payload);
  return {...rest, rssi: signal(rssi)};
}

/** Returns the characteristics in the payload of the topic `info` by name, each with its fields. */
export function characteristics(info) {
  const entries = Object.entries(members(object(info).characteristics));
  return Object.fromEntries(entries.map(([name, entry]) => [name, {...entry, fields: named(entry.fields)}]));
}

/** Returns the units in the payload of the topic `info`, by the name of the reading. */
export function units(info) {
  return Object.fromEntries(Object.entries(characteristics(info)).flatMap(
      ([name, {fields}]) =>
          fields.map((field) => [fields.length > 1 ? `${name}.${field.name}` : name, field.unit])));
}

/** Returns the name of the gateway in the payload of the topic `info`; undefined without one. */
export function gatewayOf(info) {
  const {gateway} = object(info);
  return typeof gateway === "string" ? gateway : undefined;
}

/** Returns the characteristics that a click switches, by the name of the reading that is their state. */
export function switches(info) {
  const entries = Object.entries(characteristics(info))
      .filter(([, {write, fields}]) => write === true && fields.length === 1)
      .map(([name, {state}]) => [typeof state === "string" ? state : name, name]);
  return Object.fromEntries(entries);
}

/** Returns an event; null for a payload that is none. */
export function eventOf(payload) {
  const event = object(payload);
  if (typeof event.type !== "string") return null;
  return {...event, device: typeof event.device === "string" ? event.device : undefined};
}
