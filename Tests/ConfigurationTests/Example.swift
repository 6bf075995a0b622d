/// A configuration with all sections.
enum Example {
    static let yaml = #"""
        gateway: attic                       # this gateway's name; default: the host's
        state_directory: /var/lib/bluefleet  # known peripherals, devices added at run time, queued messages
        log: info                            # debug, info, warning, error

        mqtt:
          url: mqtt://localhost:1883         # mqtts:// for TLS
          protocol: 5                        # 5 (default) or 3.1.1
          prefix: bluefleet
          username: bluefleet
          password_file: /etc/bluefleet/mqtt.password
          ca_file: /etc/ssl/certs/ca-certificates.crt     # cert_file, key_file for a client certificate
          qos: 1

        home_assistant:
          discovery: device                  # or component (openHAB, Home Assistant before 2024.11), or none
          prefix: homeassistant

        bluetooth:
          adapters: [ "B8:27:EB:12:34:56" ]  # by address; default: every adapter
          connections: auto                  # or a number per adapter

        profiles:                            # settings that several devices share
          climate:
            connect: always
            characteristics:
              temperature: {service: 181A, uuid: 2A6E, subscribe: true}
              humidity:    {service: 181A, uuid: 2A6F, subscribe: true, publish: {deadband: 0.5, at_least_every: 5m}}
              battery:     {service: 180F, uuid: 2A19, read: 1h}

        devices:                             # one entry, one device
          greenhouse:
            address: C0:00:00:00:00:01
            profile: climate
          cellar/freezer:
            address: C0:00:00:00:00:02
            profile: climate
            connect: every 10m
            until: [temperature, humidity]   # default: one value of each characteristic that is read or subscribed
            within: 30s
          relay:
            address: C0:00:00:00:00:03
            connect: on demand
            hold: 20s
            characteristics:
              output:
                service: 6e400001-b5a3-f393-e0a9-e50e24dcca9e
                uuid: 6e400002-b5a3-f393-e0a9-e50e24dcca9e
                write: true                  # without this nothing can be written
                format:
                  - {name: channel, type: uint8}
                  - {name: level, type: uint16, endian: big, scale: 0.1, unit: "%"}
          ruuvi:
            address: D0:00:00:00:00:04
            connect: never                   # advertisements only; each quantity is a topic: ruuvi/temperature, ruuvi/humidity, …
            # key_file: /etc/bluefleet/keys/ruuvi.key         for encrypted advertisements
            # pair: true, passkey_file: …                     for devices that require a bond

        fleet:                               # rules for devices that are not listed
          - match: {name: "Sensor*", services: [181A]}    # address, name, services, manufacturer: all must hold
            profile: climate
            device: "sensors/{address}"      # {address}, {name}
        """#
}
