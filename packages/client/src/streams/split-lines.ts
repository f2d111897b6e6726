/** Yields the lines of a response that are not empty, as they arrive. */
export async function* splitLines(response: Response): AsyncGenerator<string> {
  let rest = ''
  for await (const text of decodeChunks(response)) {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    yield* parts.filter((part) => part !== '')
  }
  if (rest !== '') yield rest
}

/** The text of a response, as it arrives. Read by its reader: not every browser can iterate over a stream. */
export async function* decodeChunks(response: Response): AsyncGenerator<string> {
  const reader = response.body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    // Ends the transfer if the reader of the lines has stopped before its end.
    await reader.cancel().catch(() => undefined)
  }
}
