import { escapeXml } from './escape-xml.ts'

/** The kinds of connections that QGIS loads from a file, each in the dialog of its kind. */
export const connectionKinds = ['stac', 'features'] as const
export type ConnectionKind = (typeof connectionKinds)[number]

/** The form of a file: its root, the element of a connection, and what it has beside its name and URL. */
const forms: Readonly<Record<ConnectionKind, { root: string; version: string; element: string; attributes: string }>> =
  {
    stac: {
      root: 'qgsStacConnections',
      version: '1.0',
      element: 'stac',
      attributes: 'authcfg="" username="" password=""',
    },
    features: {
      root: 'qgsWFSConnections',
      version: '1.1',
      element: 'wfs',
      attributes:
        'version="OGC_API_FEATURES" maxnumfeatures="" pagesize="" pagingenabled="default" ignoreAxisOrientation="0" invertAxisOrientation="0" username="" password=""',
    },
  }

/** A file of connections of QGIS. It has no secret: the person chooses an authentication after loading it. */
export function printConnectionFile(kind: ConnectionKind, name: string, url: string): string {
  const { root, version, element, attributes } = forms[kind]
  return `<!DOCTYPE connections>
<${root} version="${version}">
    <${element} name="${escapeXml(name)}" url="${escapeXml(url)}" ${attributes}/>
</${root}>
`
}
