import { getSqlState } from './database.ts'

/** True for the error of a statement that would repeat a value of a unique index. */
export const isUniqueViolation = (error: unknown): boolean => getSqlState(error) === '23505'

/** The result of the work; it ends with the error made here if a value of a unique index is taken. */
export async function replaceUniqueViolation<T>(work: Promise<T>, createError: () => Error): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isUniqueViolation(error) ? createError() : error
  }
}
