import { styleText } from 'node:util'
import type { CommandContext, ProcessEnvironment } from '../context.ts'

type Format = Parameters<typeof styleText>[0]

/** Writes a text in a style, or as it is. */
export type TextStyler = (format: Format, text: string) => string

/** Colours only on a terminal, unless `NO_COLOR` is set (no-color.org) or the terminal has none. */
export const createStyle = (env: ProcessEnvironment, stream: CommandContext['stdout']): TextStyler =>
  stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_format, text) => text
