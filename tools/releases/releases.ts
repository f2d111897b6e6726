import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { ContractDocument } from './contract-shape.ts'

export const releasesPath = 'deploy/releases.json'

/** A released commit, from which comparisons of the contract and tests of updates start. */
export interface Release {
  readonly version: string
  readonly commit: string
  readonly released_on: string
  readonly contract_version: string
  /** Of docs/contract-surface.txt. */
  readonly contract_surface_sha256: string
  /** Of the OpenAPI document, which is packed in a file of its own. */
  readonly openapi_sha256: string
  readonly last_migration: string
}

/** Path of the OpenAPI document of a release: nothing else has it, because it is not tracked. */
export const documentPath = (version: string): string => `deploy/releases/${version}.openapi.json.gz`

export const hashText = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** All releases, the newest last. */
export const readReleases = async (): Promise<Release[]> =>
  JSON.parse(await readFile(releasesPath, 'utf8')) as Release[]

/** The OpenAPI document of a release. Throws if it is not the one that was released. */
export async function readReleasedDocument({ version, openapi_sha256 }: Release): Promise<ContractDocument> {
  const text = gunzipSync(await readFile(documentPath(version)))
  if (hashText(text) !== openapi_sha256) throw new Error(`${documentPath(version)} is not the document of ${version}.`)
  return JSON.parse(text.toString('utf8')) as ContractDocument
}
