internal import Bluetooth

/// What a shell needs to complete a command line, made from the table of commands.
enum Completion: String, CaseIterable {
    case bash, zsh, fish

    /// The script, for the shell to read.
    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// What can stand in a place.
    private enum Candidates: Equatable {
        case files
        case words([String])
        case anything

        init(of name: String) {
            switch name {
            case "FILE": self = .files
            case "COMMAND": self = .words(Program.commands.map { $0.name })
            case CharacteristicReference.operand.name: self = .words(AssignedNumbers.characteristics.all)
            case "SHELL": self = .words(Completion.allCases.map(\.rawValue))
            default: self = .anything
            }
        }
    }

    // MARK: bash

    private static var bashScript: String {
        let cases = Program.commands.map { command in
            "        \(command.name)) options='\(options(of: command).map { "--\($0.name)" }.joined(separator: " "))' ;;"
        }
        let values = valueOptions.map { "        --\($0.name)) \(bashReply(Candidates(of: $0.value ?? ""))) return ;;" }
        let operands = Program.commands.compactMap { command -> String? in
            guard let operand = command.operands.first(where: { Candidates(of: $0.name) != .anything }) else {
                return nil
            }
            return "        \(command.name)) \(bashReply(Candidates(of: operand.name))) ;;"
        }
        return """
            # Completion of bluefleet for bash: made by bluefleet help --completion bash
            _bluefleet() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options=
                if [ "$COMP_CWORD" = 1 ]; then
                    COMPREPLY=($(compgen -W '\(commandWords)' -- "$current"))
                    return
                fi
                case $previous in
            \(values.joined(separator: "\n"))
                esac
                case ${COMP_WORDS[1]} in
            \(cases.joined(separator: "\n"))
                esac
                if [[ $current == -* ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$current"))
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(operands.joined(separator: "\n"))
                esac
            }
            complete -F _bluefleet bluefleet
            """
    }

    private static func bashReply(_ candidates: Candidates) -> String {
        switch candidates {
        case .files: "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\"));"
        case .words(let words): "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\"));"
        case .anything: "COMPREPLY=();"
        }
    }

    // MARK: zsh

    private static var zshScript: String {
        let commands = Program.commands.map { "            '\($0.name):\(zshQuoted($0.summary))'" }
        let cases = Program.commands.map { command in
            let options = options(of: command).map { option in
                let value = option.value.map { ":\($0):\(zshAction(Candidates(of: $0)))" } ?? ""
                return "'--\(option.name)[\(zshQuoted(option.summary))]\(value)'"
            }
            let operands = command.operands.map { operand in
                let place = operand.isRepeated ? "*" : ""
                return "'\(place):\(operand.name):\(zshAction(Candidates(of: operand.name)))'"
            }
            return "        \(command.name)) _arguments \((options + operands).joined(separator: " ")) ;;"
        }
        return """
            #compdef bluefleet
            # Completion of bluefleet for zsh: made by bluefleet help --completion zsh
            _bluefleet() {
                local -a commands
                if (( CURRENT == 2 )); then
                    commands=(
            \(commands.joined(separator: "\n"))
                    )
                    _describe command commands
                    return
                fi
                local command=$words[2]
                shift words
                (( CURRENT-- ))
                case $command in
            \(cases.joined(separator: "\n"))
                esac
            }
            # From a folder of completions it is called at once, by source it is made known.
            if [[ $funcstack[1] == _bluefleet ]]; then _bluefleet "$@"; else compdef _bluefleet bluefleet; fi
            """
    }

    /// To zsh a colon ends a description.
    private static func zshQuoted(_ text: String) -> String {
        quoted(text).map { $0 == ":" ? "\\:" : String($0) }.joined()
    }

    private static func zshAction(_ candidates: Candidates) -> String {
        switch candidates {
        case .files: "_files"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .anything: " "
        }
    }

    // MARK: fish

    private static var fishScript: String {
        var lines = [
            "# Completion of bluefleet for fish: made by bluefleet help --completion fish", "complete -c bluefleet -f",
        ]
        for command in Program.commands {
            lines.append(
                "complete -c bluefleet -n __fish_use_subcommand -a \(command.name) -d '\(quoted(command.summary))'")
            let seen = "complete -c bluefleet -n '__fish_seen_subcommand_from \(command.name)'"
            for option in options(of: command) {
                let value = option.value.map { " -r\(fishArguments(Candidates(of: $0)))" } ?? ""
                lines.append("\(seen) -l \(option.name)\(value) -d '\(quoted(option.summary))'")
            }
            for operand in command.operands where Candidates(of: operand.name) != .anything {
                lines.append(seen + fishArguments(Candidates(of: operand.name)))
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func fishArguments(_ candidates: Candidates) -> String {
        switch candidates {
        case .files: " -F"
        case .words(let words): " -f -a '\(words.joined(separator: " "))'"
        case .anything: " -f"
        }
    }

    // MARK: The table

    private static var commandWords: String {
        (Program.commands.map { $0.name } + ["--help", "--version"]).joined(separator: " ")
    }

    private static func options(of command: any Command.Type) -> [Option] {
        command.options + [.help]
    }

    /// Those that take a value, each once: what a name wants is the same in all commands.
    private static var valueOptions: [Option] {
        var found: [Option] = []
        for option in Program.commands.flatMap({ $0.options })
        where option.value != nil && !found.contains(where: { $0.name == option.name }) {
            found.append(option)
        }
        return found
    }

    /// A summary between single quotes, and between brackets.
    private static func quoted(_ text: String) -> String {
        text.map { character in
            switch character {
            case "'": "’"
            case "[": "("
            case "]": ")"
            default: String(character)
            }
        }.joined()
    }
}
