import { countElement, isRecord, invalidFilter, rejectFunction, type ParseState } from './limits.ts'
import { parseInstantLiteral, parseTimestampOrDate, parsePropertyReference } from './parse-values.ts'
import type { IntervalOperand, InstantOperand } from './ast.ts'

/** An instant, an interval or a property reference. A bare timestamp or date text counts as an instant. */
export function parseIntervalOperand(node: unknown, path: string, state: ParseState): IntervalOperand {
  countElement(state, 'nodes', path)
  if (!isRecord(node) || !Object.hasOwn(node, 'interval')) {
    const instant = parseIntervalEnd(node, path, state)
    return { start: instant, end: instant }
  }
  const { interval } = node
  if (!Array.isArray(interval) || interval.length !== 2) {
    throw invalidFilter(`${path}.interval`, 'is not a list of a start and an end')
  }
  const [start, end] = interval.map((bound, index) =>
    bound === '..' ? { is: 'open' as const } : parseIntervalEnd(bound, `${path}.interval.${index}`, state),
  ) as [InstantOperand, InstantOperand]
  if (start.is === 'instant' && end.is === 'instant' && start.value > end.value) {
    throw invalidFilter(`${path}.interval`, 'ends before it starts')
  }
  return { start, end }
}

function parseIntervalEnd(node: unknown, path: string, state: ParseState): InstantOperand {
  if (typeof node === 'string') {
    const value = parseTimestampOrDate(node)
    if (value) return { is: 'instant', value }
  }
  if (isRecord(node) && Object.hasOwn(node, 'property')) return parsePropertyReference(node, path, state)
  rejectFunction(node, path)
  const instant = isRecord(node) ? parseInstantLiteral(node, path) : null
  if (instant) return instant
  throw invalidFilter(path, 'is not a date, timestamp, interval or property')
}
