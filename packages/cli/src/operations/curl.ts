/** A `curl` command that makes the same call; the credentials stay in a variable. */
export function printCurl(address: string, id: string, input: object, idempotencyKey: string | null): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
  return [
    `curl --fail-with-body ${quote(`${address}/v1/op/${id}`)}`,
    `-H "Authorization: Bearer $SWATH_KEY"`,
    `-H 'Content-Type: application/json'`,
    ...(idempotencyKey === null ? [] : [`-H ${quote(`Idempotency-Key: ${idempotencyKey}`)}`]),
    `-d ${quote(JSON.stringify(input))}`,
  ].join(' \\\n  ')
}
