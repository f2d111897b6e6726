import { timeOf, type Scene } from './scenes.ts'

export interface SearchInput {
  /** Scenes of each host. */
  readonly limit: number
  readonly datetime?: string
  readonly [name: string]: unknown
}

/** Hosts know times more finely than the milliseconds of an answer. */
const border_ms = 1

/** The start of a scene that states only an interval: a search by time finds it by its start. */
const startOf = (scene: Scene): number => {
  const times = [scene.properties['start_datetime'], timeOf(scene)].map((time) => Date.parse(String(time)))
  return Math.min(...times.filter((time) => !Number.isNaN(time)))
}

/**
 * The search for the scenes of a host that are older than those that it has answered, as it answers the newest first. Those at
 * the border are found again, and so are intervals that begin before it: the limit is raised by their number.
 */
export function toOlderInput(input: SearchInput, known: readonly Scene[]): SearchInput {
  const times = known.map((scene) => Date.parse(timeOf(scene) ?? '')).filter((time) => !Number.isNaN(time))
  if (times.length === 0) return input
  const [from = '..'] = input.datetime?.split('/') ?? []
  const oldest_ms = times.reduce((least, time) => Math.min(least, time)) + border_ms
  // Intervals that began before the dates of the search are found by it, too.
  const until_ms = from === '..' ? oldest_ms : Math.max(oldest_ms, Date.parse(from))
  const repeated = known.filter((scene) => startOf(scene) <= until_ms).length
  return { ...input, limit: input.limit + repeated, datetime: `${from}/${new Date(until_ms).toISOString()}` }
}
