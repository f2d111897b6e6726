const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/**
 * Returns a name for an item from its STAC properties: its title if a user chose one, else the place of its scene. An
 * item that was ordered has the id of its scene as title. Null if it has neither.
 */
export function nameItem(properties: Readonly<Record<string, unknown>>): string | null {
  const title = text(properties['title'])
  return title === text(properties['service:scene_id']) ? (text(properties['place']) ?? title) : title
}
