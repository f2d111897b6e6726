import type { CollectedStatement } from './collect-statements.ts'
import { statementRules, toParsedStatement, type ParsedStatement } from './rules.ts'
import type { SchemaFacts } from './schema-facts.ts'
import { parseSql } from './syntax.ts'
import { findForeignWrites } from './writers.ts'

/** A row of a list, and those after it that differ only in their values. */
const repeatedRow = /(\((?:[^()']|\([^()']*\))*\))(?:,\s*\1)+/g

/** The text with one row in each list of VALUES: lists of all lengths are one statement, and long ones take long to parse. */
export const shorten = (text: string): string => text.replace(/\$\d+/g, '$$1').replace(repeatedRow, '$1')

/** The statements that break a rule, one message each. Those of a role that are equal but for the lengths of lists are parsed once. */
export function checkStatements(statements: readonly CollectedStatement[], facts: SchemaFacts): string[] {
  const shortened = statements.map((statement) => ({ ...statement, text: shorten(statement.text) }))
  const distinct = new Map(shortened.map((statement) => [`${statement.role} ${statement.text}`, statement]))
  return [...distinct.values()].flatMap((statement) => {
    const { file, line, name, text, role } = statement
    const findings = parseSql(text).flatMap((tree) =>
      findBrokenRules(toParsedStatement(tree, facts, role), statement, facts),
    )
    return findings.length === 0 ? [] : [`${file}:${line} ${name} ${findings.join(', and ')}:\n${text.trim()}`]
  })
}

const findBrokenRules = (statement: ParsedStatement, sender: CollectedStatement, facts: SchemaFacts): string[] => [
  ...statementRules.flatMap(({ name, reason, find }) =>
    find(statement, facts).map((what) => `${what} (${name}: ${reason})`),
  ),
  ...findForeignWrites(statement.changes, sender).map((what) => `${what} (writers.ts: each table has its writers)`),
]
