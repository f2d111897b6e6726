import { refusals } from '../../packages/server/test/refusals/refusals.ts'
import { printTable } from './generated-blocks.ts'

/** One row for each refusal that the tests provoke, with its sentence. */
export const printRefusals = (): string =>
  printTable(
    ['Where', 'What', 'Sentence'],
    refusals.map(({ where, what, sentence }) => [where, what, sentence.replaceAll('|', '\\|')]),
  )
