import { Resolver } from 'node:dns/promises'

/**
 * Reads the TXT records of a name, each as one text; none if there are none. Throws a `TextRecordFailure` if the name servers cannot be
 * asked.
 */
export type ReadTextRecords = (name: string) => Promise<readonly string[]>

/** The name servers do not answer, or with an error. */
export class TextRecordFailure extends Error {}

/** Codes of answers that say that there is no such record. */
const absent_codes: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND'])

/** No more are read of one name. */
const max_records = 100

export interface TextRecordOptions {
  /** IP addresses of name servers with optional ports; those of the system if empty. */
  readonly dns_servers: readonly string[]
  readonly dns_timeout_ms?: number
}

/** Asks name servers directly: what a file of hosts says of a name is no proof. */
export function createTextRecordReader({ dns_servers, dns_timeout_ms = 2000 }: TextRecordOptions): ReadTextRecords {
  return async (name) => {
    const resolver = new Resolver({ timeout: dns_timeout_ms, tries: 2 })
    if (dns_servers.length > 0) resolver.setServers(dns_servers)
    try {
      const records = await resolver.resolveTxt(name)
      return records.slice(0, max_records).map((parts) => parts.join(''))
    } catch (error) {
      const { code = '' } = error as { readonly code?: string }
      if (absent_codes.has(code)) return []
      throw new TextRecordFailure(`The name servers do not answer for ${name} (${code || 'no code'}).`)
    }
  }
}
