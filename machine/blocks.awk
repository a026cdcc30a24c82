# Lists a program's basic blocks, from what `objdump -d --no-show-raw-insn` prints: a line a block, with the address that its
# hook returns to, its instructions, and the cycles of those that take many.
#
# Not counted is what is there for the hooks: their calls, what puts their arguments into registers, and what keeps other
# registers across calls. An atomic operation is a call, too, and counts as one instruction.

function finish() {
    if (block != "")
        print block, instructions, cycles
    block = ""
    instructions = cycles = 0
}

function forget_arguments() {
    first = others = 0
}

# A function's name.
/^[0-9a-f]+ <.*>:$/ { finish(); forget_arguments(); after_hook = 0; next }

/^ +[0-9a-f]+:\t/ {
    split($0, part, "\t")
    address = part[1]
    gsub(/[ :]/, "", address)
    operation = part[2]
    name = operation
    sub(/ .*/, "", name)
    if (after_hook) {
        block = address
        after_hook = 0
    }
    if (name == "call" && operation ~ /<__sanitizer_cov_trace_pc>/) {
        prologue = block == "" ? instructions : 0
        finish()
        instructions = prologue
        after_hook = 1
        forget_arguments()
        next
    }
    if (name == "call" && operation ~ /<__tsan_/) {
        instructions -= first
        if (operation ~ /<__tsan_atomic/)
            instructions += 1 - others
        forget_arguments()
        next
    }
    # What keeps registers, and what fills up lines.
    if (name ~ /^(push|pop|nop|endbr64|data16|cs|leave)/ || operation ~ /^(sub|add) +\$0x[0-9a-f]+,%rsp/ ||
        operation == "xchg   %ax,%ax")
        next
    # What the calls drive from its register to the stack, and back.
    if (operation ~ /^mov[a-z]* +(-?0x[0-9a-f]+)?\(%rsp\),%|,(-?0x[0-9a-f]+)?\(%rsp\)$/ && operation !~ /%[re]di$/)
        next
    instructions++
    if (name ~ /^(call|j|ret)/)
        forget_arguments()
    else if (operation ~ /,%[re]di$/)
        first = 1
    else if (name ~ /^(mov|xor)/ && operation ~ /,%([re]si|[re]dx|[re]cx|r8d?)$/)
        others++
    if (name ~ /^(div|idiv)/)
        cycles += 14
    else if (name ~ /^(fsqrt|sqrt|divs)/)
        cycles += 12
}
END { finish() }
