import { basename } from 'node:path'

/** The folders of clients whose names contain the text. Throws if none does: a proof that tries nothing proves nothing. */
export function chooseClients(folders: readonly string[], text: string): readonly string[] {
  const chosen = folders.filter((folder) => basename(folder).includes(text))
  if (chosen.length === 0)
    throw new Error(`no client has "${text}" in its name: ${folders.map((one) => basename(one)).join()}`)
  return chosen
}
