import { sql, type Sql } from '../../platform/database/sql.ts'
import type { Interval, Moment, TemporalOperator } from './cql2/tree.ts'
import { valueAs } from './store.cql2-values.ts'

interface Ends {
  readonly start: Sql
  readonly end: Sql
}

/**
 * The relations of Allen between intervals that are closed at both ends, as the standard's clause on temporal operators
 * has them; an instant is an interval of one moment, and an open end lies beyond every moment.
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

/** `datetime` stands for the whole time that an item covers, as it does in every search by time. */
function endOf(moment: Moment, side: keyof Interval): Sql {
  if (moment.is === 'open') return side === 'start' ? sql`'-infinity'::timestamptz` : sql`'infinity'::timestamptz`
  if (moment.is === 'property' && moment.name === 'datetime' && side === 'end') return sql`i.covers_to`
  return valueAs('time', moment)
}

const endsOf = (interval: Interval): Ends => ({
  start: endOf(interval.start, 'start'),
  end: endOf(interval.end, 'end'),
})

/** One relation between two intervals; unknown where an end is. */
export const temporalCondition = (operator: TemporalOperator, left: Interval, right: Interval): Sql =>
  sql`(${relations[operator](endsOf(left), endsOf(right))})`
