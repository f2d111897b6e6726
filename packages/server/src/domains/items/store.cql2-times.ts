import { sql, type Sql } from '../../platform/database/sql.ts'
import type { Interval, Moment, TemporalOperator } from './cql2/tree.ts'
import { valueAs } from './store.cql2-values.ts'

interface Ends {
  readonly start: Sql
  readonly end: Sql
}

/**
 * Allen's interval relations for closed intervals, as in the CQL2 clause on temporal operators; an instant is an interval
 * with equal ends, and an open end is infinite.
 */
const relations: Readonly<Record<TemporalOperator, (a: Ends, b: Ends) => Sql>> = {
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
function endOf(moment: Moment, side: keyof Interval): Sql {
  if (moment.is === 'open') return side === 'start' ? sql`'-infinity'::timestamptz` : sql`'infinity'::timestamptz`
  if (moment.is === 'property' && moment.name === 'datetime' && side === 'end') return sql`i.covers_to`
  return valueAs('time', moment)
}

const endsOf = (interval: Interval): Ends => ({
  start: endOf(interval.start, 'start'),
  end: endOf(interval.end, 'end'),
})

/** A temporal relation between two intervals; unknown if an end is null. */
export const temporalCondition = (operator: TemporalOperator, left: Interval, right: Interval): Sql =>
  sql`(${relations[operator](endsOf(left), endsOf(right))})`
