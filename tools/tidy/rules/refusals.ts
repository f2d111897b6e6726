import { findInternalWord } from '../../../packages/server/test/refusals/internal-words.ts'
import { readTextLiterals } from '../source-text.ts'
import { isTest, type TidyFinding, type TidyRule, type SourceTree } from '../tree.ts'

/** The folders whose sentences reach users: in the report of an upload, the failure of a job, the answer of a request. */
const folders =
  /^packages\/(?:raster\/src|geo\/src|server\/src\/(?:platform\/zip|domains\/(?:vectors|uploads|processing|analytics|clip|tiles)))\//

/** Words in a row, as code, keys and patterns do not have. */
const sentence = /[a-z]{2,} [a-z]{1,} ?[a-z]*/

/** Before the text of an error that no user sees: it becomes a 500 that says its trace id alone. */
const internalError = /(?:new (?:Type|Range)?Error|assertInvariant)\((?:[^()'"`]*,)?\s*$/

const isStore = (path: string): boolean => /(?:^|\/)store(?:\.[\w-]+)?\.ts$/.test(path)

function findIn(path: string, text: string): TidyFinding[] {
  return readTextLiterals(text).flatMap(({ content, line, before }) => {
    const word =
      sentence.test(content) && !content.includes('<') && !internalError.test(before) ? findInternalWord(content) : null
    return word === null
      ? []
      : [{ file: path, message: `line ${line}: "${word}" is an internal word: say it in words of the field` }]
  })
}

export const refusalsRule: TidyRule = {
  name: 'refusals',
  reason:
    'A refusal says what is wrong with a file or a request, and what to do, in words of the field and not of the code.',
  check: (tree: SourceTree) =>
    [...tree.code.keys()]
      .filter((path) => folders.test(path) && !isTest(path) && !isStore(path))
      .flatMap((path) => findIn(path, tree.files.get(path)!)),
}
