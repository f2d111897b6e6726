import type { TaskingOpportunity } from '@swath/client/operations.ts'

export type PassOption = TaskingOpportunity
export type PassOrder = 'soonest' | 'likeliest' | 'steepest'

/** The sort key of each order; the smallest is first. */
const sortKeys: Readonly<Record<PassOrder, (pass: PassOption) => number>> = {
  soonest: ({ acquisitionStart }) => Date.parse(acquisitionStart),
  likeliest: ({ probability, coverage }) => -(probability ?? 0) * coverage,
  steepest: ({ offNadirAngle }) => offNadirAngle ?? Infinity,
}

/** Passes in an order; those that are booked already come last. */
export const sortPasses = (passes: readonly PassOption[], order: PassOrder): readonly PassOption[] =>
  passes.toSorted(
    (left, right) =>
      Number(left.conflict !== null) - Number(right.conflict !== null) ||
      sortKeys[order](left) - sortKeys[order](right) ||
      sortKeys.soonest(left) - sortKeys.soonest(right),
  )

const toFeatures = (
  passes: readonly PassOption[],
  geometryOf: (pass: PassOption) => unknown,
): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: passes.flatMap((pass) => {
    const geometry = geometryOf(pass)
    return geometry
      ? [{ type: 'Feature' as const, properties: { id: pass.id }, geometry: geometry as GeoJSON.Geometry }]
      : []
  }),
})

/** The ground tracks of passes, with their ids. */
export const toTracks = (passes: readonly PassOption[]): GeoJSON.FeatureCollection =>
  toFeatures(passes, ({ groundTrack }) => groundTrack)

/** The swaths of passes; of a host that does not state them, the part of the area that a pass acquires. */
export const toSwaths = (passes: readonly PassOption[]): GeoJSON.FeatureCollection =>
  toFeatures(passes, ({ swath, footprint }) => swath ?? footprint)
