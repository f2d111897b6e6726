import { readText } from './read-text.ts'

/**
 * When an item was taken, or the start of that, from its STAC properties; null if nobody said so: its interval then has only the
 * bounds that hold for every image.
 */
export const readTakenTime = (properties: Readonly<Record<string, unknown>>): string | null =>
  properties['service:time_unknown'] === true
    ? null
    : (readText(properties['datetime']) ?? readText(properties['start_datetime']))
