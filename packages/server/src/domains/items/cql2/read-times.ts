import { count, isRecord, malformed, refuseFunction, type Reading } from './reading.ts'
import { instantIn, readMoment, readProperty } from './read-values.ts'
import type { Interval, Moment } from './tree.ts'

/** An instant, an interval or a property reference. A bare timestamp or date text counts as an instant. */
export function readInterval(node: unknown, path: string, reading: Reading): Interval {
  count(reading, 'nodes', path)
  if (!isRecord(node) || !Object.hasOwn(node, 'interval')) {
    const moment = readEnd(node, path, reading)
    return { start: moment, end: moment }
  }
  const { interval } = node
  if (!Array.isArray(interval) || interval.length !== 2) {
    throw malformed(`${path}.interval`, 'is not a list of a start and an end')
  }
  const [start, end] = interval.map((bound, index) =>
    bound === '..' ? { is: 'open' as const } : readEnd(bound, `${path}.interval.${index}`, reading),
  ) as [Moment, Moment]
  if (start.is === 'instant' && end.is === 'instant' && start.value > end.value) {
    throw malformed(`${path}.interval`, 'ends before it starts')
  }
  return { start, end }
}

function readEnd(node: unknown, path: string, reading: Reading): Moment {
  if (typeof node === 'string') {
    const value = readMoment(node)
    if (value) return { is: 'instant', value }
  }
  if (isRecord(node) && Object.hasOwn(node, 'property')) return readProperty(node, path, reading)
  refuseFunction(node, path)
  const instant = isRecord(node) ? instantIn(node, path) : null
  if (instant) return instant
  throw malformed(path, 'is not a date, timestamp, interval or property')
}
