/// Encodes into one value of JSON.
struct JSONEncoding: Encoder {
  let node: JSONNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beObject()
    return KeyedEncodingContainer(Members(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beArray()
    return Elements(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(node: node, codingPath: codingPath)
  }

  // MARK: Containers

  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: JSONNode
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { node.member(key.stringValue).setNull() }

    func encode(_ value: some Encodable, forKey key: Key) throws {
      try node.member(key.stringValue).set(value, codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type,
      forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      member(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
      JSONEncoding(node: node.member("super"), codingPath: codingPath)
    }

    func superEncoder(forKey key: Key) -> any Encoder { member(key) }

    private func member(_ key: Key) -> JSONEncoding {
      JSONEncoding(node: node.member(key.stringValue), codingPath: codingPath + [key])
    }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let node: JSONNode
    let codingPath: [any CodingKey]
    var count: Int { node.count }

    func encodeNil() { node.element().setNull() }

    func encode(_ value: some Encodable) throws { try node.element().set(value, codingPath) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      element.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element.unkeyedContainer() }

    func superEncoder() -> any Encoder { element }

    private var element: JSONEncoding {
      JSONEncoding(node: node.element(), codingPath: codingPath)
    }
  }

  private struct Single: SingleValueEncodingContainer {
    let node: JSONNode
    let codingPath: [any CodingKey]

    func encodeNil() { node.setNull() }

    func encode(_ value: some Encodable) throws { try node.set(value, codingPath) }
  }
}
