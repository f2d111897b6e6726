// verify-receipt.mjs [FILE] --keys KEYS [--file PATH]…
//
// Verifies the signed receipts of processing jobs offline: it needs Node and this file only. FILE is a lineage as
// provenance.export returns it, or a single receipt (the text of swath:receipt_jws); without FILE the standard input.
// docs/notes/verify-receipt.md describes its use.
//
//   --keys KEYS   the JWK set of the platform, from /.well-known/receipt-keys.json; keep a copy that you got at another time
//   --file PATH   a file that you downloaded: it must be an output of one of the receipts, byte for byte
//
// Exit code 0: valid. 1: at least one fault. 2: something could not be read.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createReadStream, readFileSync, realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const receiptType = 'swath-receipt+jws'

/** The compact JWS of a lineage, or of a text that is one. */
export function findReceipts(text) {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{')) return [trimmed]
  const { activity = {}, document } = JSON.parse(trimmed)
  const activities = Object.values(document?.activity ?? activity)
  return activities.flatMap((record) => record['swath:receipt_jws'] ?? [])
}

/** The receipt of a compact JWS. Throws an Error with the fault if it was not signed with one of the keys. */
export function verifyReceipt(jws, keys) {
  const parts = jws.split('.')
  if (parts.length !== 3) throw new Error('the receipt is not a compact JWS')
  const [header, payload, signature] = parts
  const { alg, kid, typ } = JSON.parse(Buffer.from(header, 'base64url').toString())
  if (alg !== 'EdDSA' || typ !== receiptType) throw new Error(`the receipt is of type ${typ}, signed by ${alg}`)
  const key = keys.find((one) => one.kid === kid)
  if (!key) throw new Error(`the receipt was signed with the key ${kid}, which is not in the JWK set`)
  const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' })
  if (!verify(null, Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url')))
    throw new Error('the signature is not that of the receipt: one of them was changed')
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

async function hashFile(path) {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}

/** The faults of receipts and of files that should be outputs of them; prints what is valid. */
export async function verifyAll(receipts, keys, files, print) {
  const faults = []
  const outputs = new Map()
  for (const jws of receipts) {
    try {
      const receipt = verifyReceipt(jws, keys)
      print(
        `Valid: job ${receipt.job_id} ran ${receipt.process} ${receipt.process_version} until ${receipt.completed_at}`,
      )
      for (const output of receipt.outputs) outputs.set(output.sha256, { ...output, job_id: receipt.job_id })
    } catch (error) {
      faults.push(error.message)
    }
  }
  if (receipts.length === 0) faults.push('there is no signed receipt')
  for (const path of files) {
    const output = outputs.get(await hashFile(path))
    if (output)
      print(`Valid: ${path} is ${output.asset_key} of item ${output.item_id}, an output of job ${output.job_id}`)
    else faults.push(`${path} is not an output of the receipts`)
  }
  return faults
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { keys: { type: 'string' }, file: { type: 'string', multiple: true, default: [] } },
  })
  if (!values.keys) throw new Error('name the JWK set with --keys')
  const { keys } = JSON.parse(readFileSync(values.keys, 'utf8'))
  const receipts = findReceipts(readFileSync(positionals[0] ?? process.stdin.fd, 'utf8'))
  const faults = await verifyAll(receipts, keys, values.file, (line) => console.log(line))
  for (const fault of faults) console.log(`FAULT ${fault}`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href)
  await main().catch((error) => {
    console.error(error.message)
    process.exitCode = 2
  })
