import { availableParallelism } from 'node:os'
import type { ChildReport } from './fuzz-raster-child.ts'
import { readCases } from './fuzz-raster-input.ts'
import type { ProofOptions, ProofResult } from './proof.ts'
import { fork, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

const short_inputs = 1500
const long_inputs = 100_000
const input_timeout_ms = 5000
const childScript = new URL('./fuzz-raster-child.ts', import.meta.url)

/**
 * Damages the fixtures and reads them: no input may crash or hang (5 s), throw anything but a named failure, decode more than
 * 64 MiB or allocate more than 256 MiB. All format cases get the same number of inputs; an input is reproducible from the
 * seed and its number.
 */
export async function proveFuzzRaster({ short, seed }: ProofOptions): Promise<ProofResult> {
  const cases = readCases().length
  const inputs = Math.ceil((short ? short_inputs : long_inputs) / cases) * cases
  const children = short ? 1 : Math.min(2, availableParallelism())
  const violations: string[] = []
  const seen = new Map<string, number>()
  let opened = 0
  let tried = 0
  const report = ({ number, name, damage, opened: wasOpened, violation }: ChildReport): void => {
    tried++
    if (wasOpened) opened++
    if (tried % 5000 === 0) console.log(`${tried} of ${inputs} inputs, ${violations.length} violations`)
    if (violation === null) return
    seen.set(violation, (seen.get(violation) ?? 0) + 1)
    violations.push(`${name}, input ${number} (${damage}): ${violation}`)
  }
  const share = Math.ceil(inputs / children)
  await Promise.all(
    Array.from({ length: children }, (_, index) =>
      superviseRange(
        { first: index * share, last: Math.min(inputs, (index + 1) * share) },
        { program: childScript, seed, limit_ms: input_timeout_ms, report },
      ),
    ),
  )
  for (const [violation, count] of seen) if (count > 1) console.log(`${count} times: ${violation}`)
  return { tried: `${tried} damaged inputs of ${cases} format cases, ${opened} of them opened`, violations }
}

interface InputRange {
  readonly first: number
  /** Not included. */
  readonly last: number
}

interface SupervisorOptions {
  readonly program: URL
  readonly seed: number
  /** CPU time limit of one input; the wall time limit is six times as long, for busy machines. */
  readonly limit_ms: number
  readonly report: (report: ChildReport) => void
}

const poll_ms = 250
const clock_factor = 6

/**
 * Runs a range of inputs in child processes. A child that exceeds the limit is killed; this or a crash is reported as a
 * violation of the current input, and another child continues with the next one.
 */
export async function superviseRange({ first, last }: InputRange, supervision: SupervisorOptions): Promise<void> {
  let next = first
  while (next < last) {
    const end = await runChild(next, last, supervision, (report) => {
      next = report.number + 1
      supervision.report(report)
    })
    if (next >= last) break
    supervision.report({ number: next, name: 'input', damage: 'see its number', opened: true, violation: end })
    next++
  }
}

/** Runs one child until it exits; returns the reason of its end. */
function runChild(
  first: number,
  last: number,
  { program, seed, limit_ms }: SupervisorOptions,
  report: (report: ChildReport) => void,
): Promise<string> {
  const child = fork(program, [seed, first, last].map(String), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let stderrText = ''
  child.stderr!.on('data', (data: Buffer) => (stderrText = (stderrText + data.toString()).slice(-2000)))
  let began = performance.now()
  let cpuAtStart = readCpuTime(child)
  let killReason: string | null = null
  child.on('message', (message) => {
    report(message as ChildReport)
    began = performance.now()
    cpuAtStart = readCpuTime(child)
  })
  const watch = setInterval(() => {
    const wall = performance.now() - began
    if (wall < limit_ms) return
    const cpuNow = readCpuTime(child)
    if (wall < limit_ms * clock_factor && cpuNow !== null && cpuAtStart !== null && cpuNow - cpuAtStart < limit_ms)
      return
    killReason = `took more than ${limit_ms / 1000} s`
    child.kill('SIGKILL')
  }, poll_ms)
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      clearInterval(watch)
      resolve(killReason ?? `the process ended with ${signal ?? code}: ${lastLine(stderrText)}`)
    })
  })
}

/** CPU milliseconds of a child; null if the system does not report them. */
function readCpuTime(child: ChildProcess): number | null {
  try {
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // User and system time, in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return null
  }
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.find((line) => /Error|FATAL|assert/i.test(line)) ?? lines.at(-1) ?? 'no output'
}
