/** The command line that makes a call; the token stays a variable of the shell. */
export function toCurl(origin: string, operation: string, input: object): string {
  const body = JSON.stringify(input).replaceAll("'", String.raw`'\''`)
  return [
    `curl -X POST ${origin}/v1/op/${operation}`,
    '-H "Authorization: Bearer $SWATH_TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d '${body}'`,
  ].join(' \\\n  ')
}
