import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ChildReport } from './fuzz-raster-child.ts'

export interface InputRange {
  readonly first: number
  /** Not included. */
  readonly last: number
}

export interface SupervisorOptions {
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
