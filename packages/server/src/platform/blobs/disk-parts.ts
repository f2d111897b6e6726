import { newId } from '../ids.ts'
import { assertBlobPath, PartsUnusable, type BlobFacts, type Blobs, type PartBlobs, type PartFacts } from './blobs.ts'

/** Stores an object at a path from the file that `fill` writes. */
export type StoreDraft = (path: string, mediaType: string, fill: (draft: string) => Promise<void>) => Promise<BlobFacts>

/** What multipart uploads need from the disk store. */
export interface PartGround extends Pick<Blobs, 'list' | 'head' | 'stream' | 'delete' | 'signPut'> {
  readonly store: StoreDraft
  writeDraft(path: string, chunks: AsyncIterable<Uint8Array>, limit_bytes: number): Promise<void>
}

const digits = 5
const partPath = /\.parts\/[0-9a-f-]{36}\/\d{5}$/

/** Parts are stored as objects beside the object; completing the upload streams them one after another into one file. */
export function sendingInParts(ground: PartGround): PartBlobs {
  const listParts = async (path: string, sending: string): Promise<PartFacts[]> => {
    const parts: PartFacts[] = []
    for await (const { path: part, size } of ground.list(folderOf(path, sending))) {
      const facts = await ground.head(part)
      if (facts) parts.push({ number: Number(part.slice(-digits)), size, etag: facts.etag })
    }
    return parts
  }
  const dropParts = async (path: string, sending: string): Promise<void> => {
    for await (const { path: part } of ground.list(folderOf(path, sending))) await ground.delete(part)
  }
  const dropAllParts = async (folder: string): Promise<void> => {
    for await (const { path } of ground.list(`${folder}/`)) if (partPath.test(path)) await ground.delete(path)
  }
  return {
    listParts,
    dropParts,
    dropAllParts,
    beginParts: async (path) => {
      assertBlobPath(path)
      return newId()
    },
    signPart: (path, sending, number, options) => ground.signPut(pathOf(path, sending, number), options),
    async joinParts(path, sending, parts, mediaType) {
      const there = new Map((await listParts(path, sending)).map((part) => [part.number, part]))
      for (const { number, etag } of parts)
        if (there.get(number)?.etag !== etag) throw new PartsUnusable(`part ${number} does not match the uploaded part`)
      const chunks = joined(ground, path, sending, parts)
      const facts = await ground.store(path, mediaType, (draft) => ground.writeDraft(draft, chunks, Infinity))
      await dropParts(path, sending)
      return facts
    },
  }
}

const folderOf = (path: string, sending: string): string => `${path}.parts/${sending}/`

const pathOf = (path: string, sending: string, number: number): string =>
  `${folderOf(path, sending)}${String(number).padStart(digits, '0')}`

async function* joined(
  ground: PartGround,
  path: string,
  sending: string,
  parts: readonly PartFacts[],
): AsyncGenerator<Uint8Array> {
  for (const { number } of parts) yield* await ground.stream(pathOf(path, sending, number))
}
