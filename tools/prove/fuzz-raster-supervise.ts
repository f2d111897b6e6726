import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ChildReport } from './fuzz-raster-child.ts'

export interface Range {
  readonly first: number
  /** Not included. */
  readonly last: number
}

export interface Supervision {
  readonly program: URL
  readonly seed: number
  /** Time of the processor that one input may take; by the clock six times as much, for machines that are busy. */
  readonly limit_ms: number
  readonly report: (report: ChildReport) => void
}

const LOOK_MS = 250
const CLOCK_FACTOR = 6

/**
 * Has a child process try a range of inputs. A child that takes too long over one is killed, one that dies is mourned; both
 * are reported as violations of the input at hand, and another child goes on behind it.
 */
export async function superviseRange({ first, last }: Range, supervision: Supervision): Promise<void> {
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

/** Runs one child until it ends; what it died of, in words. */
function runChild(
  first: number,
  last: number,
  { program, seed, limit_ms }: Supervision,
  report: (report: ChildReport) => void,
): Promise<string> {
  const child = fork(program, [seed, first, last].map(String), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let complaint = ''
  child.stderr!.on('data', (data: Buffer) => (complaint = (complaint + data.toString()).slice(-2000)))
  let began = performance.now()
  let spent = processorTime(child)
  let killed: string | null = null
  child.on('message', (message) => {
    report(message as ChildReport)
    began = performance.now()
    spent = processorTime(child)
  })
  const watch = setInterval(() => {
    const wall = performance.now() - began
    if (wall < limit_ms) return
    const busy = processorTime(child)
    if (wall < limit_ms * CLOCK_FACTOR && busy !== null && spent !== null && busy - spent < limit_ms) return
    killed = `took more than ${limit_ms / 1000} s`
    child.kill('SIGKILL')
  }, LOOK_MS)
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      clearInterval(watch)
      resolve(killed ?? `the process ended with ${signal ?? code}: ${lastLine(complaint)}`)
    })
  })
}

/** Milliseconds that the processor has spent on a child; null where the system does not say. */
function processorTime(child: ChildProcess): number | null {
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
  return lines.find((line) => /Error|FATAL|assert/i.test(line)) ?? lines.at(-1) ?? 'it said nothing'
}
