import type { Client } from '@swath/client/client.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure, usageFailure } from '../failures.ts'
import { readJson } from '../operations/flags.ts'
import type { SearchGeometry } from './area.ts'

/** A scene of a catalogue, as searches return it. */
export interface PricedScene {
  readonly id: string
  readonly geometry: SearchGeometry
  readonly properties: Readonly<Record<string, unknown>> & { readonly host?: string }
  readonly 'service:price': { readonly credits: number } | null
}

/** A scene to buy, with the area of it. */
export interface SceneCapture {
  readonly id: string
  readonly geometry: SearchGeometry
  readonly host?: string
}

export interface SceneOptions {
  readonly host?: string
}

const max_search_limit = 500

/** The scenes with these ids, of one host or of all. Throws for ids that nobody offers. */
export async function findScenes(
  client: Client,
  ids: readonly string[],
  { host }: SceneOptions,
): Promise<PricedScene[]> {
  const input = { ids, limit: max_search_limit, ...(host ? { source_ids: [host] } : {}) }
  const { features } = await client.call<{ features: PricedScene[] }>('catalog.federated_search', input)
  const missing = ids.filter((id) => !features.some((scene) => scene.id === id))
  if (missing.length > 0)
    throw new CommandFailure('notFound', `No host offers ${missing.join(', ')}: swath search finds scenes with their ids.`) // prettier-ignore
  const twice = ids.filter((id) => features.filter((scene) => scene.id === id).length > 1)
  if (twice.length > 0) throw usageFailure(`Several hosts offer ${twice.join(', ')}: name one with --host.`)
  return features
}

/**
 * The captures that arguments name: ids of scenes, or one file (or `-`) with the JSON of a search. The area is that of each scene, or
 * the given one.
 */
export async function readCaptures(
  context: CommandContext,
  client: Client,
  words: readonly string[],
  options: SceneOptions & { readonly area: SearchGeometry | null },
): Promise<SceneCapture[]> {
  const [first] = words
  if (first === undefined) throw usageFailure('Name scenes by their ids, or a file with the JSON of swath search (- for the standard input).') // prettier-ignore
  const isFile = words.length === 1 && (first === '-' || first.startsWith('@') || first.endsWith('json'))
  const scenes = isFile ? await readSceneFile(context, first) : await findScenes(client, words, options)
  return scenes.map((scene) => toCapture(scene, options.area))
}

export const toCapture = (
  { id, geometry, properties: { host } }: PricedScene,
  area: SearchGeometry | null,
): SceneCapture => ({
  id,
  geometry: area ?? geometry,
  ...(host === undefined ? {} : { host }),
})

async function readSceneFile(context: CommandContext, path: string): Promise<PricedScene[]> {
  const { features } = ((await readJson(context, path, 'The scenes')) ?? {}) as { features?: PricedScene[] }
  if (!Array.isArray(features) || features.length === 0)
    throw usageFailure(`${path} has no scenes: it must be what swath search --json prints.`)
  return features
}
