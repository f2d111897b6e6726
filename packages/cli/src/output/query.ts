import { usageFailure } from '../failures.ts'

/** Throws a usage failure for a text that is not a JMESPath expression (jmespath.org). */
export async function checkQuery(expression: string): Promise<void> {
  const { compile } = await import('@jmespath-community/jmespath')
  try {
    compile(expression)
  } catch (error) {
    throw notAnExpression(error)
  }
}

/** The part of an output that an expression selects. */
export async function selectByQuery(output: unknown, expression: string): Promise<unknown> {
  const { search } = await import('@jmespath-community/jmespath')
  try {
    return search(output as Parameters<typeof search>[0], expression)
  } catch (error) {
    throw notAnExpression(error)
  }
}

const notAnExpression = (error: unknown): Error =>
  usageFailure(
    `--query is not a JMESPath expression for this output: ${(error as Error).message}. For example: --query 'features[].id'`,
  )
