import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from './repository.ts'
import { runProgramOrThrow } from './run-program.ts'
import { createFolder, writeFileInFolder } from './temporary-folder.ts'

interface InstalledPackage {
  /** A project with nothing installed but our tarball and its dependencies. */
  readonly project: string
  /** The paths inside the tarball. */
  readonly files: readonly string[]
}

/** Packs what was built and installs it into a fresh project, as a user would. */
export function installPackedPackage(): InstalledPackage {
  const project = createFolder({ 'package.json': '{ "private": true, "type": "module" }' })
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', project]
  const [packed] = JSON.parse(runProgramOrThrow('npm', packing, { cwd: REPOSITORY }))
  const tarball = join(project, packed.filename)
  const installing = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball]
  runProgramOrThrow('npm', installing, { cwd: project })
  return { project, files: packed.files.map((file: { path: string }) => file.path) }
}

/** Every text of the installed package, by its path inside the package. */
export function textsOfPackage(project: string): ReadonlyMap<string, string> {
  const folder = join(project, 'node_modules', 'stint')
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  )
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/** Writes a program that imports each entry of the package and prints how many names each exports. */
export function writeImportOfEveryEntry(project: string, specifiers: readonly string[]): void {
  const counts = specifiers.map((specifier) => `'${specifier}': Object.keys(await import('${specifier}')).length`)
  writeFileInFolder(project, 'import-every-entry.js', `console.log(JSON.stringify({ ${counts.join(', ')} }))\n`)
}
