import { DOMImplementation, XMLSerializer, type Document, type Element } from '@xmldom/xmldom'

/** An element: its qualified name, its text or children, and its attributes. Absent children are null. */
export interface XmlElement {
  readonly name: string
  readonly content: string | readonly (XmlElement | null)[]
  readonly attributes: Readonly<Record<string, string>>
}

export const createXmlElement = (
  name: string,
  content: XmlElement['content'],
  attributes: XmlElement['attributes'] = {},
): XmlElement => ({ name, content, attributes })

/** The element, or null if its text is absent. */
export const createOptionalXmlElement = (name: string, text: string | null): XmlElement | null =>
  text === null ? null : createXmlElement(name, text)

/** Serializes a document; `namespaces` has the URI of each prefix, that of the root element under ``. */
export function serializeXml(root: XmlElement, namespaces: Readonly<Record<string, string>>): string {
  const document = new DOMImplementation().createDocument(namespaces[''] ?? null, root.name)
  const rootElement = document.documentElement!
  for (const [prefix, uri] of Object.entries(namespaces)) {
    if (prefix !== '') rootElement.setAttributeNS('http://www.w3.org/2000/xmlns/', `xmlns:${prefix}`, uri)
  }
  fillElement(document, rootElement, root, namespaces)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(document)}\n`
}

function fillElement(
  document: Document,
  target: Element,
  { content, attributes }: XmlElement,
  namespaces: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, value)
  if (typeof content === 'string') {
    target.appendChild(document.createTextNode(removeControlCharacters(content)))
    return
  }
  for (const child of content) {
    if (child === null) continue
    const prefix = child.name.split(':', 1)[0]!
    const node = document.createElementNS(namespaces[prefix] ?? null, child.name)
    fillElement(document, node, child, namespaces)
    target.appendChild(node)
  }
}

/** XML 1.0 cannot contain most control characters, not even escaped. */
const removeControlCharacters = (text: string): string =>
  text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
