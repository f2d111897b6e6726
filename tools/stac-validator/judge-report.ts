// Reads a report of stac-api-validator from the standard input; fails if it lists an error that is not known, or is not complete.
import { text } from 'node:stream/consumers'

const knownErrors = [
  // The fields extension adds what is included to the default members, those of a valid item; the validator refuses an item that has
  // them beside the included one (docs/decisions/0122).
  /^- \[Item Search - Fields Ext\] : .*(contained more than 5 extra fields|contained extra fields|contained 'geometry', but should have been excluded)/,
  // The extension lets a PATCH answer the whole item, which clients read (docs/decisions/0120); the validator knows only 204.
  /^- \[Features - Transaction Ext\] : PATCH .* had unexpected status code 200 instead of 204/,
]

/** Returns the unknown errors of a report; throws if the report has no list of errors, as where the validator ended early. */
export const findUnknownErrors = (report: string): string[] => {
  const lines = report.split('\n')
  if (!lines.some((line) => line.startsWith('Errors:')))
    throw new Error('the report of stac-api-validator has no list of errors')
  return lines.filter((line) => line.startsWith('- ') && !knownErrors.some((known) => known.test(line)))
}

if (process.argv[1] === import.meta.filename) {
  const unknown = findUnknownErrors(await text(process.stdin))
  for (const error of unknown.slice(0, 20)) console.error(error)
  if (unknown.length > 0) process.exitCode = 1
}
