/** A text as one word of the shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * The command line that makes a call; the key is a variable of the shell, which the first line sets if a key is passed.
 */
export function toCurl(origin: string, operation: string, input: object, key: string | null = null): string {
  const call = [
    `curl -X POST ${origin}/v1/op/${operation}`,
    '-H "Authorization: Bearer $SWATH_KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${quote(JSON.stringify(input))}`,
  ].join(' \\\n  ')
  return key === null ? call : `export SWATH_KEY=${quote(key)}\n${call}`
}

/** The command line that sends a delivery of a webhook to another server, byte for byte. */
export const toDeliveryCurl = (url: string, headers: Readonly<Record<string, string>>, body: string): string =>
  [
    `curl -X POST ${url}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    `--data-binary ${quote(body)}`,
  ].join(' \\\n  ')
