import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

const folder = fileURLToPath(new URL('../../../fixtures/schemas/', import.meta.url))
const stacSchemasUrl = 'https://schemas.stacspec.org/v1.0.0'

let schemas: Promise<Ajv> | undefined

/** Loads the vendored schemas of STAC, its extensions, GeoJSON and PROJJSON under their URLs; nothing is fetched. */
async function loadSchemas(): Promise<Ajv> {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true })
  ;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
  ajv.addFormat('iri', true)
  ajv.addFormat('iri-reference', true)
  const files = await readdir(folder, { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    const schema = JSON.parse(await readFile(join(folder, file), 'utf8')) as { $id?: string }
    const url = `https://${file.replaceAll('\\', '/')}`
    ajv.addSchema({ ...schema, $id: url }, url)
  }
  return ajv
}

const getValidator = async (url: string): Promise<ValidateFunction> => {
  schemas ??= loadSchemas()
  const validator = (await schemas).getSchema(url)
  if (!validator) throw new Error(`no schema is vendored for ${url}`)
  return validator as ValidateFunction
}

/** Validates a STAC Item against STAC 1.0.0 and the extensions that it declares; returns the errors. */
export async function validateStacItem(item: { readonly stac_extensions: readonly string[] }): Promise<string[]> {
  const errors: string[] = []
  for (const url of [`${stacSchemasUrl}/item-spec/json-schema/item.json`, ...item.stac_extensions]) {
    const validate = await getValidator(url)
    // The JSON that a client receives.
    if (validate(JSON.parse(JSON.stringify(item)))) continue
    errors.push(...(validate.errors ?? []).map((error) => `${url}: ${error.instancePath} ${error.message}`))
  }
  return errors
}
