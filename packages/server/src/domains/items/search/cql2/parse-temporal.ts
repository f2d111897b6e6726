import {
  countCql2Element,
  isJsonRecord,
  createInvalidCql2Problem,
  rejectCustomFunction,
  type Cql2ParseState,
} from './limits.ts'
import { parseInstantLiteral, parseTimestampOrDate, parsePropertyReference } from './parse-values.ts'
import type { IntervalOperand, InstantOperand } from './ast.ts'

/** An instant, an interval or a property reference. A bare timestamp or date text counts as an instant. */
export function parseIntervalOperand(node: unknown, path: string, state: Cql2ParseState): IntervalOperand {
  countCql2Element(state, 'nodes', path)
  if (!isJsonRecord(node) || !Object.hasOwn(node, 'interval')) {
    const instant = parseIntervalEnd(node, path, state)
    return { start: instant, end: instant }
  }
  const { interval } = node
  if (!Array.isArray(interval) || interval.length !== 2) {
    throw createInvalidCql2Problem(`${path}.interval`, 'is not a list of a start and an end')
  }
  const [start, end] = interval.map((bound, index) =>
    bound === '..' ? { is: 'open' as const } : parseIntervalEnd(bound, `${path}.interval.${index}`, state),
  ) as [InstantOperand, InstantOperand]
  if (start.is === 'instant' && end.is === 'instant' && start.value > end.value) {
    throw createInvalidCql2Problem(`${path}.interval`, 'ends before it starts')
  }
  return { start, end }
}

function parseIntervalEnd(node: unknown, path: string, state: Cql2ParseState): InstantOperand {
  if (typeof node === 'string') {
    const value = parseTimestampOrDate(node)
    if (value) return { is: 'instant', value }
  }
  if (isJsonRecord(node) && Object.hasOwn(node, 'property')) return parsePropertyReference(node, path, state)
  rejectCustomFunction(node, path)
  const instant = isJsonRecord(node) ? parseInstantLiteral(node, path) : null
  if (instant) return instant
  throw createInvalidCql2Problem(path, 'is not a date, timestamp, interval or property')
}
