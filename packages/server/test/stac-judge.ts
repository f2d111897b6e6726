import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The report of the validator for one document. */
interface Report {
  readonly id: string
  readonly valid: boolean | null
  readonly messages: readonly string[]
  readonly results: {
    readonly core: readonly Finding[]
    readonly extensions: Readonly<Record<string, readonly Finding[]>>
  }
  readonly children: readonly Report[]
}

interface Finding {
  readonly instancePath?: string
  readonly message?: string
}

type Validate = (
  documents: readonly object[],
  options: { loader(address: string): Promise<object>; schemaMap: object },
) => Promise<Report>

// A CommonJS package without types.
const validate = createRequire(import.meta.url)('stac-node-validator') as Validate

const vendored = fileURLToPath(new URL('../../../fixtures/schemas/', import.meta.url))

export interface Judgement {
  /** Validation errors, by document and schema. */
  readonly faults: readonly string[]
  /** How often each extension without a schema in the folder occurred. */
  readonly unknown: ReadonlyMap<string, number>
}

/**
 * Validates STAC documents with stac-node-validator: the core, and every extension whose schema is in the folder under its
 * URL. Nothing is fetched; extensions without a schema there are counted and not validated.
 */
export async function judgeStac(
  documents: readonly { readonly stac_extensions: readonly string[] }[],
  folder = vendored,
): Promise<Judgement> {
  const missing = new Set<string>()
  const loader = async (address: string): Promise<object> => {
    const place = join(folder, address.replace(/^https?:\/\//, '').replace(/#$/, ''))
    try {
      return JSON.parse(await readFile(place, 'utf8')) as object
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT') throw error
      missing.add(address)
      return { $id: address }
    }
  }
  // The JSON that a client receives.
  const received = JSON.parse(JSON.stringify(documents)) as object[]
  const { children } = await validate(received, { loader, schemaMap: {} })
  const unknown = new Map<string, number>()
  for (const address of documents.flatMap((document) => document.stac_extensions)) {
    if (missing.has(address)) unknown.set(address, (unknown.get(address) ?? 0) + 1)
  }
  return { faults: children.flatMap(faultsOf), unknown }
}

function faultsOf({ id, valid, messages, results }: Report): string[] {
  const found = Object.entries({ core: results.core, ...results.extensions }).flatMap(([schema, findings]) =>
    findings.map(({ instancePath = '', message = '' }) => `${id}: ${schema}: ${instancePath} ${message}`),
  )
  if (found.length === 0 && valid !== true) return [`${id}: not validated: ${messages.join('; ')}`]
  return found
}
