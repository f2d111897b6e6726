import { readText } from './read-text.ts'

/**
 * Returns a name for an item from its STAC properties: its title if a user chose one, else the place of its scene. An
 * item that was ordered has the id of its scene as title. Null if it has neither.
 */
export function nameItem(properties: Readonly<Record<string, unknown>>): string | null {
  const title = readText(properties['title'])
  return title === readText(properties['service:scene_id']) ? (readText(properties['place']) ?? title) : title
}
