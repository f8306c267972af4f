package dev.muster.admission.stream;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/** One limit for the memory of all directories of the process; without it each has 100 MiB. */
public final class DirectoryMemory implements RocksDBConfigSetter {
    private static final long ALL = 64L << 20;
    private static final long WRITES = 24L << 20;

    static {
        // Our cache is made before the first store, which would load it.
        RocksDB.loadLibrary();
    }

    /** Of the process, as are the stores: never closed. */
    private static final Cache CACHE = new LRUCache(ALL);

    private static final WriteBufferManager BUFFERS = new WriteBufferManager(WRITES, CACHE);

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        if (options.tableFormatConfig() instanceof BlockBasedTableConfig table) {
            table.setBlockCache(CACHE);
            table.setCacheIndexAndFilterBlocks(true);
            options.setTableFormatConfig(table);
        }
        options.setWriteBufferManager(BUFFERS);
        options.setWriteBufferSize(4L << 20);
    }

    @Override
    public void close(String storeName, Options options) {}
}
