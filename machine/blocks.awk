# Lists a program's basic blocks, from what `objdump -d --no-show-raw-insn` prints: a line a block, with the address that its
# hook returns to, its instructions, and the cycles of those that take many.
#
# Not counted is what is there for the hooks: their calls, what puts their arguments into registers, and what keeps other
# registers across calls. An atomic operation is a call, too, and counts as one instruction.

function finish() {
    if (block != "")
        print block, instructions, cycles
    block = ""
    instructions = cycles = pending = 0
}

# A function's name.
/^[0-9a-f]+ <.*>:$/ { finish(); next }

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
        saved = cycles
        finish()
        instructions = prologue
        after_hook = 1
        pending = 0
        next
    }
    if (name == "call" && operation ~ /<__tsan_/) {
        instructions -= pending
        pending = 0
        if (operation ~ /<__tsan_atomic/)
            instructions++
        next
    }
    if (name ~ /^(push|pop|nop|endbr64|data16|cs|xchg$|leave)/ || operation ~ /^(sub|add) +\$0x[0-9a-f]+,%rsp/)
        next
    instructions++
    # What may put a hook's argument into a register.
    if (name ~ /^(mov|movl|movq|lea|xor)$/ && operation ~ /,%(rdi|edi|rsi|esi|rdx|edx|rcx|ecx|r8|r8d)$/)
        pending++
    else if (name ~ /^(mov|lea)/ && operation ~ /(%rsp|%rbp)\)?$/)
        pending = pending # spilled: counted, but no end of the arguments
    else
        pending = 0
    if (pending > 3)
        pending = 3
    if (name ~ /^(div|idiv)/)
        cycles += 14
    else if (name ~ /^(fsqrt|sqrt|divs)/)
        cycles += 12
}
END { finish() }
