import { sql, type Sql } from '../../../platform/database/sql.ts'
import type { IntervalOperand, InstantOperand, TemporalOperator } from './cql2/ast.ts'
import { valueAsKindSql } from './store.cql2-to-sql-values.ts'

interface IntervalEnds {
  readonly start: Sql
  readonly end: Sql
}

/**
 * Allen's interval relations for closed intervals, as in the CQL2 clause on temporal operators; an instant is an interval
 * with equal ends, and an open end is infinite.
 */
const allenRelations: Readonly<Record<TemporalOperator, (a: IntervalEnds, b: IntervalEnds) => Sql>> = {
  t_after: (a, b) => sql`${a.start} > ${b.end}`,
  t_before: (a, b) => sql`${a.end} < ${b.start}`,
  t_contains: (a, b) => sql`${a.start} < ${b.start} and ${a.end} > ${b.end}`,
  t_disjoint: (a, b) => sql`${a.end} < ${b.start} or ${a.start} > ${b.end}`,
  t_during: (a, b) => sql`${a.start} > ${b.start} and ${a.end} < ${b.end}`,
  t_equals: (a, b) => sql`${a.start} = ${b.start} and ${a.end} = ${b.end}`,
  t_finishedBy: (a, b) => sql`${a.start} < ${b.start} and ${a.end} = ${b.end}`,
  t_finishes: (a, b) => sql`${a.start} > ${b.start} and ${a.end} = ${b.end}`,
  t_intersects: (a, b) => sql`${a.start} <= ${b.end} and ${a.end} >= ${b.start}`,
  t_meets: (a, b) => sql`${a.end} = ${b.start}`,
  t_metBy: (a, b) => sql`${a.start} = ${b.end}`,
  t_overlappedBy: (a, b) => sql`${a.start} > ${b.start} and ${a.start} < ${b.end} and ${a.end} > ${b.end}`,
  t_overlaps: (a, b) => sql`${a.start} < ${b.start} and ${a.end} > ${b.start} and ${a.end} < ${b.end}`,
  t_startedBy: (a, b) => sql`${a.start} = ${b.start} and ${a.end} > ${b.end}`,
  t_starts: (a, b) => sql`${a.start} = ${b.start} and ${a.end} < ${b.end}`,
}

/** `datetime` is the whole interval that an item covers, as in every search by time. */
function intervalEnd(instant: InstantOperand, side: keyof IntervalOperand): Sql {
  if (instant.is === 'open') return side === 'start' ? sql`'-infinity'::timestamptz` : sql`'infinity'::timestamptz`
  if (instant.is === 'property' && instant.name === 'datetime' && side === 'end') return sql`i.covers_to`
  return valueAsKindSql('time', instant)
}

const intervalEnds = (interval: IntervalOperand): IntervalEnds => ({
  start: intervalEnd(interval.start, 'start'),
  end: intervalEnd(interval.end, 'end'),
})

/** A temporal relation between two intervals; unknown if an end is null. */
export const temporalRelationCondition = (
  operator: TemporalOperator,
  left: IntervalOperand,
  right: IntervalOperand,
): Sql => sql`(${allenRelations[operator](intervalEnds(left), intervalEnds(right))})`
