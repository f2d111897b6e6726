import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The report of the validator for one document. */
interface ValidatorReport {
  readonly id: string
  readonly valid: boolean | null
  readonly messages: readonly string[]
  readonly results: {
    readonly core: readonly Finding[]
    readonly extensions: Readonly<Record<string, readonly Finding[]>>
  }
  readonly children: readonly ValidatorReport[]
}

interface Finding {
  readonly instancePath?: string
  readonly message?: string
}

type Validate = (
  documents: readonly object[],
  options: { loader(url: string): Promise<object>; schemaMap: object },
) => Promise<ValidatorReport>

// A CommonJS package without types.
const validate = createRequire(import.meta.url)('stac-node-validator') as Validate

const schemasFolder = fileURLToPath(new URL('../../../fixtures/schemas/', import.meta.url))

export interface StacValidation {
  /** Validation errors, by document and schema. */
  readonly errors: readonly string[]
  /** The number of occurrences of each extension without a schema in the folder. */
  readonly unknownExtensions: ReadonlyMap<string, number>
}

/**
 * Validates STAC documents with stac-node-validator: the core, and every extension whose schema is in the folder under its
 * URL. Nothing is fetched; extensions without a schema there are counted and not validated.
 */
export async function validateStac(
  documents: readonly { readonly stac_extensions: readonly string[] }[],
  folder = schemasFolder,
): Promise<StacValidation> {
  const missingSchemas = new Set<string>()
  const loader = async (url: string): Promise<object> => {
    const schemaPath = join(folder, url.replace(/^https?:\/\//, '').replace(/#$/, ''))
    try {
      return JSON.parse(await readFile(schemaPath, 'utf8')) as object
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT') throw error
      missingSchemas.add(url)
      return { $id: url }
    }
  }
  // The JSON that a client receives.
  const received = JSON.parse(JSON.stringify(documents)) as object[]
  const { children } = await validate(received, { loader, schemaMap: {} })
  const unknownExtensions = new Map<string, number>()
  for (const url of documents.flatMap((document) => document.stac_extensions)) {
    if (missingSchemas.has(url)) unknownExtensions.set(url, (unknownExtensions.get(url) ?? 0) + 1)
  }
  return { errors: children.flatMap(reportedErrors), unknownExtensions }
}

function reportedErrors({ id, valid, messages, results }: ValidatorReport): string[] {
  const errors = Object.entries({ core: results.core, ...results.extensions }).flatMap(([schema, findings]) =>
    findings.map(({ instancePath = '', message = '' }) => `${id}: ${schema}: ${instancePath} ${message}`),
  )
  if (errors.length === 0 && valid !== true) return [`${id}: not validated: ${messages.join('; ')}`]
  return errors
}
