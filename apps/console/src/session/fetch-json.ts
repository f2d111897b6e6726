/** A JSON document that is no part of the platform, such as a style of a map. Rejects if there is no such document. */
export async function fetchJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The server answered with ${response.status}.`)
  return (await response.json()) as Record<string, unknown>
}
