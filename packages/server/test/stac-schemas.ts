import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

const folder = fileURLToPath(new URL('../../../fixtures/schemas/', import.meta.url))
const stac = 'https://schemas.stacspec.org/v1.0.0'

let reading: Promise<Ajv> | undefined

/** Loads the vendored schemas of STAC, its extensions, GeoJSON and PROJJSON under their URLs; nothing is fetched. */
async function readSchemas(): Promise<Ajv> {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true })
  ;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
  ajv.addFormat('iri', true)
  ajv.addFormat('iri-reference', true)
  const files = await readdir(folder, { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    const schema = JSON.parse(await readFile(join(folder, file), 'utf8')) as { $id?: string }
    const address = `https://${file.replaceAll('\\', '/')}`
    ajv.addSchema({ ...schema, $id: address }, address)
  }
  return ajv
}

const validatorOf = async (address: string): Promise<ValidateFunction> => {
  reading ??= readSchemas()
  const found = (await reading).getSchema(address)
  if (!found) throw new Error(`no schema is vendored for ${address}`)
  return found as ValidateFunction
}

/** Validates a STAC Item against STAC 1.0.0 and the extensions that it declares; returns the errors. */
export async function stacFaults(item: { readonly stac_extensions: readonly string[] }): Promise<string[]> {
  const faults: string[] = []
  for (const address of [`${stac}/item-spec/json-schema/item.json`, ...item.stac_extensions]) {
    const validate = await validatorOf(address)
    // The JSON that a client receives.
    if (validate(JSON.parse(JSON.stringify(item)))) continue
    faults.push(...(validate.errors ?? []).map((error) => `${address}: ${error.instancePath} ${error.message}`))
  }
  return faults
}
